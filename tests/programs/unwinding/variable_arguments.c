// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Variable arguments in a function that calls itself.
#include "../attest.h"
#include <stdarg.h>
static int sum(int n, ...) {
  va_list list;
  int total = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) total += va_arg(list, int);
  va_end(list);
  return n > 2 ? sum(2, total, 1) : total;
}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < -1000 || a > 1000 || b < -1000 || b > 1000) return 0;
#ifdef WRONG
  assert(sum(3, a, b, 1) != 500);
#else
  assert(sum(3, a, b, 1) == a + b + 2);
#endif
  return 0;
}
