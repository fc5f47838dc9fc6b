// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: -9223372036854775808
//
// The sign of a long is turned when a number is formatted.
#include "../input.h"

static unsigned long magnitude(long v) {
#ifdef WRONG
  if (v < 0) v = -v; // violated(WRONG): overflow/overflow
  return (unsigned long)v;
#else
  return v < 0 ? 0ul - (unsigned long)v : (unsigned long)v;
#endif
}

int main(void) { return magnitude(__VERIFIER_nondet_long()) % 10 == 7; }
