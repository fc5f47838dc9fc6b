// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// A union has a pointer on one path and a number on the other.
#include "../attest.h"
union u { int *p; long n; };
int main(void) {
  int x = 1, k = __VERIFIER_nondet_int();
  union u v, copy;
  if (k == 4) v.p = &x;
  else v.n = k;
  copy = v;
#ifdef WRONG
  if (k >= 4) *copy.p = 2;
#else
  if (k == 4) *copy.p = 2;
#endif
  assert((x == 2) == (k == 4));
  return 0;
}
