// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: -2147483648
//
// A number of tries that goes below the least.
#include "../input.h"

int main(void) {
  int tries = __VERIFIER_nondet_int();
#ifdef WRONG
  if (tries != 0)
#else
  if (tries > 0)
#endif
    tries--; // violated(WRONG): overflow/overflow
  return tries == 2;
}
