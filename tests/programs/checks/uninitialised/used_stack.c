// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// A second call finds on the stack what the first has left there.
#include "../input.h"

static int twice(int x) {
  int y;
  y = 2 * (x & 15);
  return y;
}

static int unset(void) {
#ifdef WRONG
  int y;
#else
  int y = 0;
#endif
  return y;
}

int main(void) {
  int a = twice(__VERIFIER_nondet_int());
  if (unset() == a) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
