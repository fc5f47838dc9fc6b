// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 9223372036854775800 100
//
// A deadline is a time and a delay.
#include "../input.h"
#include <limits.h>

int main(void) {
  long now = __VERIFIER_nondet_long();
  int delay = __VERIFIER_nondet_int();
  if (now < 0 || delay < 0) return 0;
#ifdef WRONG
  return now + delay < now; // violated(WRONG): overflow/overflow
#else
  return delay > LONG_MAX - now;
#endif
}
