// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Each activation writes a variable of the one before.
#include "../attest.h"
static int f(int n, int *up) {
  int x = n;
  if (n > 0) f(n - 1, &x);
  *up += x;
  return x;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  if (n < 0 || n > 5) return 0;
  f(n, &sum);
#ifdef WRONG
  assert(sum != 10);
#endif
  assert(sum == n * (n + 1) / 2);
  return 0;
}
