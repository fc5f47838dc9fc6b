// expect: unsafe
// natively: confirmed
// inputs: 123456789
// expect: unsafe
// check: memory
// natively: confirmed
// inputs: 123456789
//
// Memory that one input frees before it is used.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  int x = __VERIFIER_nondet_int();
  if (x == 123456789) free(p);
  *p = 1; // violated: memory/use-after-free
  return 0;
}
