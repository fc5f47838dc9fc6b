// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A loop with two entries, and jumps between its halves.
#include "../attest.h"
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 3, m = __VERIFIER_nondet_uint() % 3, s = 0, t = 0;
  if (n == 1) goto second;
first:
  s++;
  if (s > 6) goto out;
second:
  t++;
  if (t + s < m + 4) {
    if (t & 1) goto first;
    goto second;
  }
  if (m == 2 && s < 3) goto first;
out:
#ifdef WRONG
  assert(s != 3);
#endif
  assert(s <= 7 && t >= 1);
  return 0;
}
