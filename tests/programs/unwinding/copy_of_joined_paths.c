// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A copy has what was there before later writes, on each of the paths.
#include "../attest.h"
int main(void) {
  int a[4] = {0}, b[4];
  int i = __VERIFIER_nondet_int();
  if (i == 1) a[1] = 5;
  else if (i == 2) a[2] = 6;
  else a[3] = 7;
  memcpy(b, a, sizeof a);
  a[1] = a[2] = a[3] = 50;
#ifdef WRONG
  assert(b[2] != 6);
#endif
  assert(b[1] + b[2] + b[3] == (i == 1 ? 5 : i == 2 ? 6 : 7));
  return 0;
}
