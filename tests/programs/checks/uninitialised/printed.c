// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// A number that was never set is printed.
#include "../input.h"
#include <stdio.h>

int main(void) {
#ifdef WRONG
  int total;
#else
  int total = 0;
#endif
  if (__VERIFIER_nondet_int() == 3) total = 1;
  printf("%d\n", total); // violated(WRONG): uninitialised/never-set
  return 0;
}
