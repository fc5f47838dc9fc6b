// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 5
//
// The number of iterations was never set.
#include "../input.h"

int main(void) {
  int n;
  int sum = 0;
  if (__VERIFIER_nondet_int() != 5) n = 3;
#ifndef WRONG
  else n = 0;
#endif
  for (int i = 0; i < n && i < 3; i++) sum += i; // violated(WRONG): uninitialised/never-set
  return sum;
}
