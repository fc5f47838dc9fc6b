// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 5 0
//
// A rotation by zero shifts by the width.
#include "../input.h"

static unsigned rotate(unsigned x, unsigned n) {
#ifdef WRONG
  return x << n | x >> (32 - n); // violated(WRONG): arithmetic/shift
#else
  return x << n | x >> (-n & 31);
#endif
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  return (int)rotate(x, __VERIFIER_nondet_uint() & 31);
}
