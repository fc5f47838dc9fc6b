// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// What an initialiser leaves out is zero; without one nothing is.
#include "../input.h"

int main(void) {
#ifdef WRONG
  int a[4];
  a[0] = 1;
#else
  int a[4] = {1};
#endif
  if (a[__VERIFIER_nondet_uint() & 3] == 3) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
