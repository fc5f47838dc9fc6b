// expect: unsafe
//
// Pointers of the environment may be the same.
#include "../attest.h"

int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  int *q = __VERIFIER_nondet_pointer();
  *p = 3;
  *q = 4;
  if (*p == 4) reach_error();
  return 0;
}
