// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 5 4
//
// A pseudo-random number in a range that may be empty.
#include "../input.h"

static unsigned state = 1;

static unsigned next(void) {
  state = state * 1103515245u + 12345u;
  return state >> 16 & 0x7fff;
}

static unsigned in_range(unsigned low, unsigned high) {
  return low + next() % (high - low + 1); // violated(WRONG): arithmetic/division
}

int main(void) {
  unsigned low = __VERIFIER_nondet_uchar(), high = __VERIFIER_nondet_uchar();
#ifndef WRONG
  if (low > high) return 0;
#else
  if (low > high + 1) return 0;
#endif
  return (int)in_range(low, high);
}
