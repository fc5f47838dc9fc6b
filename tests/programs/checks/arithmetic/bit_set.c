// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 40
//
// A set of bits in words; the word has 32 bits and the index has 64.
#include "../input.h"

static unsigned set[2];

int main(void) {
  unsigned i = __VERIFIER_nondet_uint() & 63;
#ifdef WRONG
  set[i / 32] |= 1u << i; // violated(WRONG): arithmetic/shift
#else
  set[i / 32] |= 1u << i % 32;
#endif
  return (int)set[1];
}
