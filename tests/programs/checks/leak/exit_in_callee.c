// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 66
//
// exit is called while main's buffer lives.
#include "../input.h"
#include <stdlib.h>

static void check(int x, char *p) {
  if (x == 66) {
#ifndef WRONG
    free(p);
#endif
    exit(2);
  }
}

int main(void) {
  char *p = malloc(4); // violated(WRONG): leak/not-freed
  if (!p) return 1;
  check(__VERIFIER_nondet_int(), p);
  free(p);
  return 0;
}
