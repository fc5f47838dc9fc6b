// expect: safe
//
// An object of a size that was read.
#include "../input.h"
#include <assert.h>
#include <stdlib.h>

int main(void) {
  unsigned long n = __VERIFIER_nondet_ulong(), i = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(n < 1000000 && i < n);
  unsigned char *p = malloc(n);
  if (!p) return 0;
  p[i] = 7;
  assert(p[i] == 7);
  free(p);
  return 0;
}
