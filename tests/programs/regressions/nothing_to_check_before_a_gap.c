// expect: unknown(missing-function)
// check: overflow
// expect: safe
// check: overflow
// options: -- -DNEVER
//
// What follows a call of a missing function is not looked at, so that no place with a check is
// known says nothing of it.
#include "../attest.h"

extern int missing(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
#ifdef NEVER
  if (n < 8 && n * 2 == 15)
#endif
    return missing() + 1;
  return 0;
}
