// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 123456789
//
// Memory is freed for one input and used for all.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 1;
  int x = __VERIFIER_nondet_int();
  if (x == 123456789) {
    free(p);
#ifndef WRONG
    return 0;
#endif
  }
  *p = x; // violated(WRONG): memory/use-after-free
  free(p);
  return 0;
}
