// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 128 128 128 128 128 128 128
//
// A number in groups of seven bits with more groups than the width has.
#include "../input.h"

int main(void) {
  unsigned value = 0, shift = 0;
  for (;;) {
    unsigned char byte = __VERIFIER_nondet_uchar();
#ifndef WRONG
    if (shift > 28) break;
#endif
    value |= (unsigned)(byte & 0x7f) << shift; // violated(WRONG): arithmetic/shift
    if (!(byte & 0x80)) break;
    shift += 7;
  }
  return (int)value;
}
