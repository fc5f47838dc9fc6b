// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A jump to one of several addresses, one of them in a loop.
#include "../attest.h"
int main(void) {
  static void *const labels[] = {&&a, &&b, &&c};
  unsigned i = __VERIFIER_nondet_uint() % 3;
  int n = 0;
  goto *labels[i];
a:
  n++;
b:
  n += 10;
  if (n < 15) goto *labels[(i + 1) % 3];
c:
  n += 100;
#ifdef WRONG
  assert(n != 121);
#endif
  assert(n == 100 || n == 110 || n == 121);
  return 0;
}
