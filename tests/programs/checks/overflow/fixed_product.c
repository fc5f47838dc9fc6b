// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 100000 100000
//
// A product in fixed point needs a wider type.
#include "../input.h"

typedef int fixed;

static fixed product(fixed a, fixed b) {
#ifdef WRONG
  return (a * b) >> 8; // violated(WRONG): overflow/overflow
#else
  return (fixed)(((long)a * b) >> 8);
#endif
}

int main(void) {
  fixed a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0 || a > 100000 || b < 0 || b > 100000) return 0;
  return product(a, b) == 77;
}
