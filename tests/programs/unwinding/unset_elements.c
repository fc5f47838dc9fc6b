// expect: safe
// says: all executions unwound
// options: --check uninitialised
// expect: unsafe(interpreted)
// options: --check uninitialised -- -DWRONG
// natively: confirmed
//
// Elements of an array that were never set.
#include "../attest.h"
int main(void) {
  int a[4];
  unsigned n = __VERIFIER_nondet_uint() % 5, j = __VERIFIER_nondet_uint() % 4;
  for (unsigned i = 0; i < n; i++) a[i] = i;
#ifdef WRONG
  if (j > n) return 0;
#else
  if (j >= n) return 0;
#endif
  if (a[j] > 2) return 1;
  return 0;
}
