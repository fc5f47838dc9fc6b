// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 9
//
// A switch that does not set the result for all values.
#include "../input.h"

static int code(int kind) {
  int code;
  switch (kind) {
  case 0: code = 10; break;
  case 1: code = 20; break;
  case 2: code = 30; break;
#ifndef WRONG
  default: code = 0;
#endif
  }
  return code;
}

int main(void) {
  if (code(__VERIFIER_nondet_int()) == 20) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
