// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
//
// Pointers copied byte by byte, and one of which only a part is copied.
#include "../attest.h"
int main(void) {
  int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y, *q = 0;
  for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i];
#ifdef WRONG
  ((char *)&q)[3] ^= __VERIFIER_nondet_int() == 5;
#endif
  *q = 9;
  assert(x + y == 11 || x + y == 10);
  return 0;
}
