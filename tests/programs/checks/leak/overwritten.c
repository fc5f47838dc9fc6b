// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// The only pointer is overwritten by a second allocation.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  char *p = malloc(4); // violated(WRONG): leak/unreachable-memory
  if (__VERIFIER_nondet_int() == 1) {
#ifndef WRONG
    free(p);
#endif
    p = malloc(8);
  }
  free(p);
  return 0;
}
