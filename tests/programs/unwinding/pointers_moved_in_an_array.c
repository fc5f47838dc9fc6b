// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// Slots of pointers are moved, as many as an input says.
#include "../attest.h"
void *memmove(void *, const void *, size_t);
int main(void) {
  int x[4] = {0};
  int *a[5] = {x, x + 1, x + 2, x + 3, 0};
  unsigned n = __VERIFIER_nondet_uint() % 5;
  memmove(a, a + 1, n * sizeof *a);
#ifndef WRONG
  if (a[3])
#endif
    *a[3] = 1;
  assert(x[3] == (n < 4));
  return 0;
}
