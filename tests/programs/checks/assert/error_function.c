// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 5
//
// The error function of the competition, in a callee.
#include "../input.h"

static void check(int condition) {
  if (!condition) reach_error(); // violated(WRONG): assert/failed
}

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifdef WRONG
  check(x != 5);
#else
  check(x != 5 || x > 4);
#endif
  return 0;
}
