// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A cycle with two entries.
#include "../attest.h"
int main(void) {
  int x = 0, y = 0;
  if (__VERIFIER_nondet_int()) goto middle;
start:
  x++;
middle:
  y++;
  if (y < 6) goto start;
#ifdef WRONG
  assert(x == y);
#else
  assert(x == y || x + 1 == y);
#endif
  return 0;
}
