// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2000000000 2000000000
//
// A counter in a loop that a sentinel ends; nothing bounds it but the width of the sum.
#include "../input.h"
#include <limits.h>

static int total;

static void add(int x) {
#ifndef WRONG
  if (x > INT_MAX - total) return;
#endif
  total += x; // violated(WRONG): overflow/overflow
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    int x = __VERIFIER_nondet_int();
    if (x < 0) break;
    add(x);
  }
  return total == 3;
}
