// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// A local decides without ever being set.
#include "../input.h"

int main(void) {
#ifdef WRONG
  int x;
#else
  int x = __VERIFIER_nondet_int();
#endif
  if (x > 3) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
