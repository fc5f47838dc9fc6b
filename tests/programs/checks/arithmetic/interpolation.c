// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 20
//
// A table is interpolated between two points with the same abscissa.
#include "../input.h"

static const int xs[4] = {0, 10, 20, 20};
static const int ys[4] = {0, 5, 7, 9};

static int between(int i, int x) {
#ifndef WRONG
  if (xs[i + 1] == xs[i]) return ys[i];
#endif
  return ys[i] + (ys[i + 1] - ys[i]) * (x - xs[i]) / (xs[i + 1] - xs[i]); // violated(WRONG): arithmetic/division
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 20) return 0;
  int i = 0;
  while (i < 2 && x >= xs[i + 1]) i++;
  return between(i, x);
}
