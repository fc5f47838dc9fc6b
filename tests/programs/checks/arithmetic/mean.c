// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 0 0 0 0
//
// The mean of no values.
#include "../input.h"

static int mean(const short *values, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];
#ifndef WRONG
  if (n == 0) return 0;
#endif
  return sum / n; // violated(WRONG): arithmetic/division
}

int main(void) {
  short values[3];
  int n = 0;
  for (int i = 0; i < 3; i++) {
    short v = __VERIFIER_nondet_short();
    if (v > 0) values[n++] = v;
  }
  return mean(values, n) > 5;
}
