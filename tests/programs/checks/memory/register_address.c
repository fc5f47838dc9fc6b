// expect: safe
// check: memory
// expect: unsafe
// check: memory
// options: -- -DWRONG
// natively: confirmed
// inputs: 66
//
// A number that is no object's address is read.
#include "../input.h"

int main(void) {
  static unsigned shadow;
  volatile unsigned *status = &shadow;
  if (__VERIFIER_nondet_int() == 66) {
#ifdef WRONG
    status = (volatile unsigned *)0x40021000;
#else
    status = &shadow;
#endif
  }
  return *status == 1; // violated(WRONG): memory/invalid-pointer
}
