// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 32767 70000
//
// A short wraps around on assignment, which is no overflow; its square as int is none either.
#include "../input.h"

int main(void) {
  short s = __VERIFIER_nondet_short();
  s += 1;
  int square = s * s;
  int k = __VERIFIER_nondet_int();
#ifndef WRONG
  if (k < 0 || k > 1) return 0;
#endif
  return square * k == 9; // violated(WRONG): overflow/overflow
}
