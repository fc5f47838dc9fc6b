// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 4
//
// The result of realloc is kept in another variable, and the old one is freed.
#include "../input.h"
#include <stdlib.h>

static char *grow(char *p, unsigned n) {
  char *q = realloc(p, n); // violated(WRONG): leak/unreachable-memory
  if (!q) {
    free(p);
    exit(1);
  }
  return q;
}

int main(void) {
  char *p = malloc(2);
  if (!p) return 1;
  p[0] = 'x';
#ifdef WRONG
  if (__VERIFIER_nondet_int() == 4) {
    char *q = grow(p, 64);
    return q[0] == 'x';
  }
#else
  if (__VERIFIER_nondet_int() == 4) p = grow(p, 64);
#endif
  free(p);
  return 0;
}
