// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 0
//
// A callback takes over its data, unless it is not called.
#include "../input.h"
#include <stdlib.h>

static int use(int *data) {
  int x = *data;
  free(data);
  return x;
}

int main(void) {
  int (*call)(int *) = __VERIFIER_nondet_bool() ? use : NULL;
  int *data = malloc(sizeof *data); // violated(WRONG): leak/unreachable-memory
  if (!data) return 1;
  *data = 3;
  if (call) return call(data);
#ifndef WRONG
  free(data);
#endif
  return 0;
}
