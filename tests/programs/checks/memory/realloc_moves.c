// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// The old pointer is used after realloc.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
  char *p = malloc(n);
  if (!p) return 1;
  p[0] = 'a';
  char *q = realloc(p, 100);
  if (!q) {
    free(p);
    return 1;
  }
#ifdef WRONG
  q[1] = p[0]; // violated(WRONG): memory/use-after-free
#else
  q[1] = q[0];
#endif
  int c = q[1];
  free(q);
  return c;
}
