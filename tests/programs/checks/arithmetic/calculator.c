// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 5 -5 0
//
// A sequence of keys that divides by the accumulator.
#include "../input.h"

int main(void) {
  int accumulator = 0;
  for (int i = 0; i < 3; i++) {
    int key = __VERIFIER_nondet_int();
    if (key == 0) {
#ifndef WRONG
      if (accumulator == 0) continue;
#endif
      accumulator = 100 / accumulator; // violated(WRONG): arithmetic/division
    } else if (key > -10 && key < 10) {
      accumulator += key;
    }
  }
  return accumulator;
}
