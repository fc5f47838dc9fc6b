// expect: safe(nothing to check)
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2147483647 1
//
// Whether a sum overflows, asked by overflowing.
#include "../input.h"
#include <limits.h>

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0 || b < 0) return 0;
#ifdef WRONG
  if (a + b < a) return 1; // violated(WRONG): overflow/overflow
#else
  if ((unsigned)a + (unsigned)b > INT_MAX) return 1;
#endif
  return 0;
}
