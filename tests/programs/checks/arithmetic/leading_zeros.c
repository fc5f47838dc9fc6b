// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 0
//
// The leading zeros of zero are undefined in __builtin_clz; a loop counts them here.
#include "../input.h"

static unsigned width(unsigned x) {
  unsigned n = 0;
  while (n < 32 && x >> n) n++;
  return n;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint() & 0xff;
#ifdef WRONG
  return (int)(x >> (width(x) - 1)); // violated(WRONG): arithmetic/shift
#else
  return (int)(x ? x >> (width(x) - 1) : 0);
#endif
}
