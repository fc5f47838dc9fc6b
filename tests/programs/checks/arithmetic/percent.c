// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 5 0
//
// The ratio of two numbers, where the second may be zero, as a percentage.
#include "../input.h"

int main(void) {
  unsigned part = __VERIFIER_nondet_uint() & 0xf, all = __VERIFIER_nondet_uint() & 0xf;
#ifndef WRONG
  if (all == 0) return 0;
#endif
  float ratio = (float)part / (float)all;
  return (int)(ratio * 100); // violated(WRONG): arithmetic/float-to-int
}
