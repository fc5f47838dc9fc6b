// expect: safe
// says: all executions unwound
// expect: unknown
// options: -- -DWRONG
//
// Nobody knows what follows a function that is not there, so a program without any other check is
// not safe, except if the function is never called.
#include "../attest.h"
void missing(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
#ifdef WRONG
  if (x == 3) missing();
#else
  if (x * x == 3) missing();
#endif
  return 0;
}
