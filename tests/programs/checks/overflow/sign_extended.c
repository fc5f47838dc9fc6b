// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 2 3 128
//
// Four bytes are put together in a signed number.
#include "../input.h"

int main(void) {
  unsigned char b[4];
  for (int i = 0; i < 4; i++) b[i] = __VERIFIER_nondet_uchar();
#ifdef WRONG
  int x = b[0] + b[1] * 256 + b[2] * 65536 + b[3] * 16777216; // violated(WRONG): overflow/overflow
#else
  unsigned x = b[0] + b[1] * 256u + b[2] * 65536u + b[3] * 16777216u;
#endif
  return x == 5;
}
