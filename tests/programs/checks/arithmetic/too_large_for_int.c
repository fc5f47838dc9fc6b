// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 3000000000.0
//
// A measured value is converted to int.
#include "../input.h"

int main(void) {
  double v = __VERIFIER_nondet_double();
#ifndef WRONG
  if (!(v > -2147483649.0 && v < 2147483648.0)) return 0;
#endif
  return (int)v; // violated(WRONG): arithmetic/float-to-int
}
