// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 1 9
//
// A flipped bit is found by the parity.
#include "../input.h"
#include <assert.h>

static unsigned parity(unsigned x) {
  x ^= x >> 4;
  x ^= x >> 2;
  x ^= x >> 1;
  return x & 1;
}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned bit = __VERIFIER_nondet_uint();
#ifdef WRONG
  if (bit > 9) return 0;
#else
  if (bit > 7) return 0;
#endif
  unsigned char y = (unsigned char)(x ^ 1u << bit);
  assert(parity(x) != parity(y)); // violated(WRONG): assert/failed
  return 0;
}
