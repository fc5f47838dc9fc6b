// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 4660
//
// A number is stored with its most significant byte first, and read again.
#include "../input.h"
#include <assert.h>

static void store(unsigned char *p, unsigned x) {
  p[0] = (unsigned char)(x >> 24);
  p[1] = (unsigned char)(x >> 16);
  p[2] = (unsigned char)(x >> 8);
  p[3] = (unsigned char)x;
}

static unsigned load(const unsigned char *p) {
#ifdef WRONG
  return (unsigned)p[0] << 24 | p[1] << 16 | p[3] << 8 | p[2];
#else
  return (unsigned)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
#endif
}

int main(void) {
  unsigned char b[4];
  unsigned x = __VERIFIER_nondet_uint();
  store(b, x);
  assert(load(b) == x); // violated(WRONG): assert/failed
  return 0;
}
