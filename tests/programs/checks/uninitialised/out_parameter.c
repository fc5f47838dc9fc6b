// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: -1
//
// A function does not set its result when it fails, and the caller does not ask.
#include "../input.h"

static int parse(int c, int *out) {
  if (c < '0' || c > '9') return -1;
  *out = c - '0';
  return 0;
}

int main(void) {
  int digit;
#ifdef WRONG
  parse(__VERIFIER_nondet_int(), &digit);
#else
  if (parse(__VERIFIER_nondet_int(), &digit) < 0) return 1;
#endif
  if (digit == 3) return 3; // violated(WRONG): uninitialised/never-set
  return 0;
}
