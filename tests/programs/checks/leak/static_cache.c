// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 6
//
// A static pointer inside a function keeps a buffer till the end.
#include "../input.h"
#include <stdlib.h>

static char *cache(int clear) {
  static char *kept;
  if (clear) {
    free(kept);
    kept = NULL;
  } else if (!kept) {
    kept = malloc(8); // violated(WRONG): leak/not-freed
  }
  return kept;
}

int main(void) {
  if (__VERIFIER_nondet_int() == 6) cache(0);
#ifndef WRONG
  cache(1);
#endif
  return 0;
}
