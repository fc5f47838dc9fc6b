// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// The compiler evaluates a quotient of constants that has no value, and only a mark is left of it.
// One that is not chosen does no harm.
#include "../input.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  int chosen = n == n ? 3 : 1 / 0;
  int later = n > 0 ? 2 : chosen;
#ifdef WRONG
  if (n > 0) return 1 / 0; // violated(WRONG): arithmetic/division
#endif
  return later;
}
