// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 5 0
//
// The greatest common divisor by remainders.
#include "../input.h"

static unsigned gcd(unsigned a, unsigned b) {
#ifdef WRONG
  do {
#else
  while (b) {
#endif
    unsigned r = a % b; // violated(WRONG): arithmetic/division
    a = b;
    b = r;
#ifdef WRONG
  } while (b);
#else
  }
#endif
  return a;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uchar() & 7;
  return (int)gcd(a, __VERIFIER_nondet_uchar() & 7);
}
