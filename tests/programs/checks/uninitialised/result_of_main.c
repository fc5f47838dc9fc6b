// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: no (valgrind tells it at the end of the program, without a line)
// inputs: 123456789
//
// The status of the program was never set for one input.
#include "../input.h"

int main(void) {
  int y;
  int x = __VERIFIER_nondet_int();
  if (x != 123456789) y = 1;
#ifndef WRONG
  else y = 2;
#endif
  return y + 1; // violated(WRONG): uninitialised/never-set
}
