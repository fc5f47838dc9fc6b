// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 4
//
// A checksum of blocks whose length is computed by subtraction.
#include "../input.h"

static unsigned fold(const unsigned char *p, unsigned n, unsigned block) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++) {
    if (i % block == 0) sum = sum >> 1 | sum << 31; // violated(WRONG): arithmetic/division
    sum += p[i];
  }
  return sum;
}

int main(void) {
  unsigned char data[4] = {1, 2, 3, 4};
  unsigned header = __VERIFIER_nondet_uint();
#ifdef WRONG
  if (header > 4) return 0;
#else
  if (header > 3) return 0;
#endif
  return (int)fold(data, 4, 4 - header);
}
