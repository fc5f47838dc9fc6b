// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 8
//
// A jump past the statement that sets a variable.
#include "../input.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  int limit;
#ifdef WRONG
  if (x == 8) goto check;
#else
  if (x == 9) return 0;
#endif
  limit = 5;
#ifdef WRONG
check:
#endif
  if (x > limit) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
