// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 65536 32768
//
// A product of two sides.
#include "../input.h"

int main(void) {
  int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
  if (width < 0 || width > 65536 || height < 0 || height > 65536) return 0;
#ifndef WRONG
  if (width > 46340 || height > 46340) return 0;
#endif
  return width * height > 100; // violated(WRONG): overflow/overflow
}
