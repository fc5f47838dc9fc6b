// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 8 40
//
// The width of a bit field is read, and its end may be past the word.
#include "../input.h"

static unsigned field(unsigned word, unsigned at, unsigned width) {
  return word >> at & ((1u << width) - 1); // violated(WRONG): arithmetic/shift
}

int main(void) {
  unsigned at = __VERIFIER_nondet_uint(), width = __VERIFIER_nondet_uint();
#ifdef WRONG
  if (at > 31) return 0;
#else
  if (at > 31 || width > 31) return 0;
#endif
  return (int)field(0xdeadbeef, at, width);
}
