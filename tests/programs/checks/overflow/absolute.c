// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: -2147483648
//
// The absolute value of the least int.
#include "../input.h"
#include <limits.h>

static int absolute(int x) {
#ifndef WRONG
  if (x == INT_MIN) return INT_MAX;
#endif
  return x < 0 ? -x : x; // violated(WRONG): overflow/overflow
}

int main(void) { return absolute(__VERIFIER_nondet_int()) > 100; }
