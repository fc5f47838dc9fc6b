// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 32
//
// A shift by a number that was read.
#include "../input.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
#ifndef WRONG
  n &= 31;
#endif
  return (int)(1u << n); // violated(WRONG): arithmetic/shift
}
