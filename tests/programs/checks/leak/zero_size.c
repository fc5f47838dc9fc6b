// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 0
//
// An object of no bytes is allocated too.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() & 7;
  char *p = malloc(n); // violated(WRONG): leak/unreachable-memory
#ifdef WRONG
  if (n) free(p);
#else
  free(p);
#endif
  return 0;
}
