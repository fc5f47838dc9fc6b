// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 100000 100000
//
// The compiler's own operations with a flag.
#include "../input.h"

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), product;
  if (!__builtin_mul_overflow(a, b, &product)) return product == 6;
#ifdef WRONG
  return a * b > 0; // violated(WRONG): overflow/overflow
#else
  return (long)a * b > 0;
#endif
}
