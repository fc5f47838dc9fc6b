// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 57 57 57 57 57 57 57 57 57 57 57
//
// A number is read from its digits.
#include "../input.h"
#include <limits.h>

int main(void) {
  int value = 0;
  for (int i = 0; i < 11; i++) {
    char c = __VERIFIER_nondet_char();
    if (c < '0' || c > '9') break;
#ifndef WRONG
    if (value > (INT_MAX - 9) / 10) return -1;
#endif
    value = value * 10 + (c - '0'); // violated(WRONG): overflow/overflow
  }
  return value == 42;
}
