// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 123456789
//
// A flag is set on all paths but one.
#include "../input.h"

int main(void) {
  int flag;
  int x = __VERIFIER_nondet_int();
#ifdef WRONG
  if (x != 123456789) flag = x > 0;
#else
  flag = x != 123456789 && x > 0;
#endif
  if (flag) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
