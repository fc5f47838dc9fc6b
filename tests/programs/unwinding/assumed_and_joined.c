// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// What is assumed on one side of a branch does not hold on the other.
#include "../attest.h"
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 100) {
    __VERIFIER_assume(x < 200);
    y = 1;
  }
#ifdef WRONG
  assert(x < 200 && x > -5);
#else
  assert(x < 200);
#endif
  assert(y == (x > 100));
  return 0;
}
