// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// The address of a variable outlives its block on one of the paths.
#include "../attest.h"
int main(void) {
  int x = 5, *p = &x;
  for (int i = 0; i < 3; i++) {
    int local = i;
    if (__VERIFIER_nondet_int() == 42) {
      p = &local;
      *p += 1;
#ifndef WRONG
      p = &x;
#endif
    }
  }
  assert(*p == 5);
  return 0;
}
