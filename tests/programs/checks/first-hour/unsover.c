// expect: unsafe
// natively: confirmed
// inputs: 1073741824
//
// An unsigned size wraps around, which is no violation; the access past the end is one.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  int *p = malloc(n * sizeof(int) & 0xffffffff);
  if (!p || n < 2) return 0;
  p[1] = 3; // violated: memory/out-of-bounds
  return 0;
}
