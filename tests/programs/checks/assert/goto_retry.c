// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 0 0 0 0
//
// A try is repeated at most twice.
#include "../input.h"
#include <assert.h>

int main(void) {
  int tries = 0;
again:
  tries++;
#ifdef WRONG
  if (!__VERIFIER_nondet_bool() && tries <= 2) goto again;
#else
  if (!__VERIFIER_nondet_bool() && tries < 2) goto again;
#endif
  assert(tries <= 2); // violated(WRONG): assert/failed
  return 0;
}
