// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 255
//
// Two ways to count the bits of a byte.
#include "../input.h"
#include <assert.h>

static unsigned slow(unsigned x) {
  unsigned n = 0;
  for (int i = 0; i < 8; i++) n += x >> i & 1;
  return n;
}

static unsigned fast(unsigned x) {
  x = (x & 0x55) + (x >> 1 & 0x55);
  x = (x & 0x33) + (x >> 2 & 0x33);
#ifdef WRONG
  return (x + (x >> 4)) & 7;
#else
  return (x + (x >> 4)) & 15;
#endif
}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  assert(slow(x) == fast(x)); // violated(WRONG): assert/failed
  return 0;
}
