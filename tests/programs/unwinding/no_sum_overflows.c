// expect: safe
// says: all executions unwound
// options: --check assert --overflow assume
// expect: unsafe
// options: --check assert --overflow assume -- -DWRONG
//
// Signed overflow assumed absent.
#include "../attest.h"
int main(void) {
  int x = __VERIFIER_nondet_int(), y = x + 1;
#ifdef WRONG
  assert(y != -2147483647);
#endif
  assert(y > x);
  return 0;
}
