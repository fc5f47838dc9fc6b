// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 10
//
// What an assumption excludes is not asserted in vain.
#include "../input.h"
#include <assert.h>

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifdef WRONG
  __VERIFIER_assume(x >= 0 && x <= 10);
#else
  __VERIFIER_assume(x >= 0 && x < 10);
#endif
  int squares = x * x;
  assert(squares < 100); // violated(WRONG): assert/failed
  return 0;
}
