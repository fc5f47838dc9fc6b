// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Elements of a table are exchanged by indices from outside.
#include "../attest.h"
int main(void) {
  int t[8];
  for (int i = 0; i < 8; i++) t[i] = i * i;
  unsigned i = __VERIFIER_nondet_uint() % 8, j = __VERIFIER_nondet_uint() % 8;
  int x = t[i];
  t[i] = t[j];
  t[j] = x;
  int sum = 0;
  for (int k = 0; k < 8; k++) sum += t[k];
#ifdef WRONG
  assert(t[3] != 25);
#endif
  assert(sum == 140);
  return 0;
}
