// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 3 0
//
// A quotient in fixed point with eight bits after the point.
#include "../input.h"

typedef int fixed;

static fixed divide(fixed a, fixed b) {
  return (fixed)(((long)a * 256) / b); // violated(WRONG): arithmetic/division
}

int main(void) {
  fixed a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
#ifdef WRONG
  if (b < 0) b = -b;
#else
  if (b <= 0) b = 1;
#endif
  return divide(a, b);
}
