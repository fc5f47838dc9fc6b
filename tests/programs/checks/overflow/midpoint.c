// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2000000000 2000000000
//
// The middle of two indices, as in many a binary search.
#include "../input.h"

static int middle(int low, int high) {
#ifdef WRONG
  return (low + high) / 2; // violated(WRONG): overflow/overflow
#else
  return low + (high - low) / 2;
#endif
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low) return 0;
  return middle(low, high) > 5;
}
