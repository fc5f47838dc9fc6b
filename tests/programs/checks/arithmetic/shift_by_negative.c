// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 200
//
// A shift by a difference that may be negative.
#include "../input.h"

int main(void) {
  int exponent = __VERIFIER_nondet_uchar();
  int by = 150 - exponent;
#ifndef WRONG
  if (by < 0) return 0;
#else
  if (by > 31) return 0;
#endif
#ifndef WRONG
  if (by > 31) return 0;
#endif
  unsigned mantissa = 0x800000;
  return (int)(mantissa >> by); // violated(WRONG): arithmetic/shift
}
