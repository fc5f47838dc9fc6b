// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// The buffer of main is lost where main returns.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  char *p = malloc(10); // violated(WRONG): leak/unreachable-memory
  if (!p) return 1;
  p[0] = __VERIFIER_nondet_char();
  int c = p[0];
#ifndef WRONG
  free(p);
#endif
  return c == 'a';
}
