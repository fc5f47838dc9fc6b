// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2147483647
//
// One value has no successor.
#include "../input.h"
#include <limits.h>

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifndef WRONG
  if (x == INT_MAX) return 0;
#endif
  int next = x + 1; // violated(WRONG): overflow/overflow
  return next > 5;
}
