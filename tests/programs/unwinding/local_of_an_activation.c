// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// The address of a variable of one activation of a recursive function.
#include "../attest.h"
static int *f(int k, int *other) {
  int x = k;
  if (k == 0) return other;
  int *r = f(k - 1, k == 2 ? &x : other);
#ifdef WRONG
  return r;
#else
  return *r > 0 ? other : r;
#endif
}
int main(void) {
  int zero = 0, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  return *f(n, &zero);
}
