// expect: safe(nothing to check)
// check: overflow,arithmetic
// expect: unsafe
// check: overflow,arithmetic
// options: -- -DWRONG
// natively: confirmed
//
// A byte goes to the sign bit.
#include "../input.h"

int main(void) {
  unsigned char b = __VERIFIER_nondet_uchar();
#ifdef WRONG
  int top = (b & 3) * 0x40000000; // violated(WRONG): overflow/overflow
#else
  unsigned top = (b & 3) * 0x40000000u;
#endif
  return top == 5;
}
