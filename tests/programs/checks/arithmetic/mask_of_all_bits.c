// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 32
//
// The mask of the n lowest bits, for all n up to the width.
#include "../input.h"

static unsigned mask(unsigned n) {
#ifndef WRONG
  if (n == 32) return ~0u;
#endif
  return (1u << n) - 1; // violated(WRONG): arithmetic/shift
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 32) return 0;
  return (int)mask(n);
}
