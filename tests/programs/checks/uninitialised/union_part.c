// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// The short member of a union is set and the long one read.
#include "../input.h"

union number {
  unsigned char byte;
  unsigned word;
};

int main(void) {
  union number n;
#ifndef WRONG
  n.word = 0;
#endif
  n.byte = __VERIFIER_nondet_uchar();
  if (n.word > 255) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
