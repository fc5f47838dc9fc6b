// expect: safe
// options: -- -DSHIFT=24
// expect: unsafe
// options: -- -DSHIFT=24 -DWRONG
// natively: confirmed
// inputs: 40
//
// A byte is moved to the top of a word.
#include "../input.h"

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
#ifdef WRONG
  return (int)(0x1ul << (n + SHIFT)); // violated(WRONG): arithmetic/shift
#else
  return (int)(0x1ul << (n % 32 + SHIFT));
#endif
}
