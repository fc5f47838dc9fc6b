// expect: unknown(`realloc` to the size 0)
//
// The library frees the memory then and returns null.
#include <stdlib.h>
#include "../attest.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 2;
  char *p = malloc(4);
  if (!realloc(p, n)) reach_error();
  return 0;
}
