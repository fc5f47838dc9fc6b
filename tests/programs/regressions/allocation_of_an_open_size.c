// expect: unsafe
//
// A negative number of bytes is too large: malloc fails.
#include <stdlib.h>
#include "../attest.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  char *p = malloc(n);
  if (!p) reach_error();
  free(p);
  return 0;
}
