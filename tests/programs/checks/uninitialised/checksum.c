// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 2 3 4
//
// The sum over a buffer starts from what is on the stack.
#include "../input.h"

int main(void) {
  unsigned char data[4];
  for (int i = 0; i < 4; i++) data[i] = __VERIFIER_nondet_uchar();
#ifdef WRONG
  unsigned sum;
#else
  unsigned sum = 0;
#endif
  for (int i = 0; i < 4; i++) sum = (sum << 1 ^ data[i]) & 0xffff;
  if (sum & 0x8000) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
