// expect: unsafe
// options: -- -DINT
// natively: confirmed
// expect: unsafe
// check: arithmetic
// options: -- -DLONG
// natively: confirmed
// inputs: 123456789
//
// A divisor that is zero for one input, and whose difference overflows for many.
#include "../input.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifdef LONG
  return (int)(100 / ((long)x - 123456789)); // violated(LONG): arithmetic/division
#else
  return 100 / (x - 123456789); // violated(INT): overflow/overflow, arithmetic/division
#endif
}
