// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 3
//
// A callback that is not set for one mode is called.
#include "../input.h"

static int go(int x) { return x & 1; }

int main(void) {
  int (*call)(int);
  int mode = __VERIFIER_nondet_int();
  if (mode != 3) call = go;
#ifndef WRONG
  else return 0;
#endif
  return call(mode); // violated(WRONG): uninitialised/never-set
}
