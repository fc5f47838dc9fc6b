// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// The compiler evaluates a sum of constants, and nothing is left of it. One that is not reached
// does no harm, nor does one that the program looks at itself.
#include "../input.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), sum;
  if (__builtin_add_overflow(2147483647, 1, &sum)) n = n > 0;
  if (n == 2) return 2147483647 + 2;
#ifdef WRONG
  if (n) return 2147483647 + 1 < 0; // violated(WRONG): overflow/overflow
#endif
  return 0;
}
