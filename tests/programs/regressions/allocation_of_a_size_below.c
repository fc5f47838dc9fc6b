// expect: safe
//
// Only where the number is negative.
#include <stdlib.h>
#include "../attest.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  char *p = malloc(n);
  if (!p) reach_error();
  free(p);
  return 0;
}
