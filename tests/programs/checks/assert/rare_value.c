// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 123456789
//
// One input is not as the assertion says.
#include "../input.h"
#include <assert.h>

int main(void) {
  int x = __VERIFIER_nondet_int();
#ifndef WRONG
  if (x == 123456789) x = 0;
#endif
  assert(x != 123456789); // violated(WRONG): assert/failed
  return 0;
}
