// expect: safe
// check: arithmetic
// expect: unsafe
// check: arithmetic
// options: -- -DWRONG
// natively: confirmed
// inputs: 0
//
// div of the library has the same limits as the operator.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  int d = __VERIFIER_nondet_int();
#ifndef WRONG
  if (d == 0 || d == -1) d = 1;
#else
  if (d == -1) d = 1;
#endif
  div_t r = div(1000, d); // violated(WRONG): arithmetic/division
  return r.rem == 7;
}
