// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// What a handler of atexit frees is no leak.
#include "../input.h"
#include <stdlib.h>

static char *buffer;

static void clean_up(void) {
#ifndef WRONG
  free(buffer);
#endif
}

int main(void) {
  buffer = malloc(5); // violated(WRONG): leak/not-freed
  if (!buffer) return 1;
  atexit(clean_up);
  return __VERIFIER_nondet_int() == 4;
}
