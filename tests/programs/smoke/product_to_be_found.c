// expect: unsafe
// says: 1. __VERIFIER_nondet_int() =
//
// A test that only the solver finds.
#include "../attest.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x * 7 == 3 * 7 * 1234567) reach_error();
  return 0;
}
