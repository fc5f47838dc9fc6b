// expect: safe
// options: --malloc may-fail
//
// Memory is used only where there is some, and is kept where it cannot grow.
#include <stdlib.h>
#include "../attest.h"

int main(void) {
  char *p = malloc(4);
  if (!p) return 1;
  p[0] = 3;
  char *q = realloc(p, 8);
  if (!q) {
    if (p[0] != 3) reach_error();
    return 1;
  }
  if (q[0] != 3) reach_error();
  free(q);
  return 0;
}
