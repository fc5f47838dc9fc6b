// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: no (the overflow is inside the library)
// inputs: -2147483648
//
// abs of the library is undefined for the least int.
#include "../input.h"
#include <limits.h>
#include <stdlib.h>

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifndef WRONG
  if (x == INT_MIN) return 0;
#endif
  return abs(x) == 3; // violated(WRONG): overflow/overflow
}
