// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: -9223372036854775808 -1
//
// The remainder of LONG_MIN and -1 is undefined too.
#include "../input.h"

int main(void) {
  long a = __VERIFIER_nondet_long(), b = __VERIFIER_nondet_long();
  if (b == 0) return 0;
#ifndef WRONG
  if (b == -1) return 0;
#endif
  return a % b == 3; // violated(WRONG): arithmetic/division
}
