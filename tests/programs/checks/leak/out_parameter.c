// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 3
//
// A function gives its buffer through a pointer, and not all callers free it.
#include "../input.h"
#include <stdlib.h>

static int read_all(char **out, unsigned n) {
  char *p = calloc(n, 1); // violated(WRONG): leak/unreachable-memory
  if (!p) return -1;
  *out = p;
  return p[0];
}

int main(void) {
  char *text = NULL;
  int x = __VERIFIER_nondet_int();
  if (read_all(&text, 8) < 0) return 1;
#ifndef WRONG
  if (x == 3) free(text);
#endif
  if (x == 3) return 2;
  free(text);
  return 0;
}
