// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: -2147483648 -1
//
// The quotient of INT_MIN and -1 does not fit.
#include "../input.h"
#include <limits.h>

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (b == 0) return 0;
#ifndef WRONG
  if (a == INT_MIN && b == -1) return 0;
#endif
  return a / b; // violated(WRONG): arithmetic/division
}
