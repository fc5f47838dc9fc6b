// expect: safe
//
// A number of elements that is too large.
#include "../attest.h"

int main(void) {
  size_t n = __VERIFIER_nondet_ulong();
  char *p = calloc(n, 8);
  if (p && n > 1ul << 61) reach_error();
  return 0;
}
