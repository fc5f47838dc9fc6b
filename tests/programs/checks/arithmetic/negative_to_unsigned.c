// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: -40.0
//
// A temperature below zero is converted to unsigned.
#include "../input.h"

int main(void) {
  float celsius = __VERIFIER_nondet_float();
#ifndef WRONG
  if (!(celsius > -1.0f)) return 1;
#endif
  if (!(celsius < 1000.0f)) return 2;
#ifdef WRONG
  if (celsius < -1000.0f) return 2;
#endif
  unsigned degrees = (unsigned)celsius; // violated(WRONG): arithmetic/float-to-int
  return degrees > 30;
}
