// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// Each activation of a recursion has a buffer, and the deepest keeps it.
#include "../input.h"
#include <stdlib.h>

static int deep(unsigned n) {
  int *p = malloc(sizeof *p); // violated(WRONG): leak/unreachable-memory
  if (!p) return 0;
  *p = (int)n;
#ifdef WRONG
  if (n == 0) return 0;
#else
  if (n == 0) {
    free(p);
    return 0;
  }
#endif
  int r = deep(n - 1) + (*p & 1);
  free(p);
  return r;
}

int main(void) { return deep(__VERIFIER_nondet_uint() % 3); }
