// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 5 4
//
// A word is seen as bytes and as halves through a union.
#include "../input.h"

union word {
  unsigned whole;
  unsigned short halves[2];
  unsigned char bytes[4];
};

int main(void) {
  union word w;
  w.whole = __VERIFIER_nondet_uint();
  unsigned i = __VERIFIER_nondet_uint();
#ifdef WRONG
  if (i > 4) return 0;
#else
  if (i > 3) return 0;
#endif
  return w.bytes[i] + w.halves[0]; // violated(WRONG): memory/out-of-bounds
}
