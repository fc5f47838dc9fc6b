// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 13
//
// A recursion whose result grows quickly.
#include "../input.h"

static int factorial(int n) {
  return n <= 1 ? 1 : n * factorial(n - 1); // violated(WRONG): overflow/overflow
}

int main(void) {
  int n = __VERIFIER_nondet_int();
#ifdef WRONG
  if (n > 13) return 0;
#else
  if (n > 12) return 0;
#endif
  return factorial(n) > 100;
}
