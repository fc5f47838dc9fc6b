// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 9 1
//
// Each iteration allocates; one of them continues without a free.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 3; i++) {
    int *p = malloc(sizeof *p); // violated(WRONG): leak/unreachable-memory
    if (!p) break;
    *p = __VERIFIER_nondet_int();
#ifdef WRONG
    if (*p == 9) continue;
#endif
    free(p);
  }
  return 0;
}
