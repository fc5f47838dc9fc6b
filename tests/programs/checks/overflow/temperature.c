// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 300000000
//
// From Celsius to Fahrenheit.
#include "../input.h"

static int fahrenheit(int celsius) {
  return celsius * 9 / 5 + 32; // violated(WRONG): overflow/overflow
}

int main(void) {
  int c = __VERIFIER_nondet_int();
#ifndef WRONG
  if (c < -273 || c > 1000000) return 0;
#endif
  return fahrenheit(c) == 212;
}
