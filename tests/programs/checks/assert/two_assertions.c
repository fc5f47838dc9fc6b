// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 4 5
//
// Two assertions fail for different inputs, and both are reported.
#include "../input.h"
#include <assert.h>

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
#ifdef WRONG
  if (x == 1000003) assert(y != x); // violated(WRONG): assert/failed
#else
  if (x == 1000003) assert(y == y);
#endif
#ifdef WRONG
  if (x == 4) assert(y == 4); // violated(WRONG): assert/failed
#endif
  return 0;
}
