// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1073741825
//
// The smallest power of two that is large enough.
#include "../input.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), p = 1;
#ifndef WRONG
  if (n > 0x40000000) return 0;
#endif
  while (p < n) p *= 2; // violated(WRONG): overflow/overflow
  return p == 64;
}
