// expect: unsafe
// options: --overflow check -- -fwrapv
//
// With the argument, overflow is defined: what wraps around is no violation, and fails here.
#include "../attest.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x + 1 < x) reach_error();
  return 0;
}
