// expect: safe
//
// A number of elements that is too large for their size.
#include "../attest.h"

int main(void) {
  size_t n = __VERIFIER_nondet_ulong(), m = __VERIFIER_nondet_ulong();
  if (n < 4 || n > 16) return 0;
  char *p = calloc(m, n);
  if (p && m > 1ul << 62) reach_error();
  return 0;
}
