// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 123456789
//
// One divisor is zero.
#include "../input.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifndef WRONG
  if (x == 123456789) return 0;
#endif
  long d = (long)x - 123456789;
  return (int)(100 / d); // violated(WRONG): arithmetic/division
}
