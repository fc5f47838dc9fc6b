// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2147483647 2147483647
//
// A filter in integers, whose state is bounded by its inputs' range.
#include "../input.h"

static int state;

static int filter(int sample) {
  state = (state * 3 + sample) / 4; // violated(WRONG): overflow/overflow
  return state;
}

int main(void) {
#ifdef WRONG
  state = __VERIFIER_nondet_int();
#else
  state = __VERIFIER_nondet_short();
#endif
  for (int i = 0; i < 2; i++) filter(__VERIFIER_nondet_short());
  return state == 5;
}
