// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A loop that some paths end in, before a join with a path that does not take it.
#include "../attest.h"
void exit(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 6, s = 0;
  if (__VERIFIER_nondet_int() == 5)
    for (unsigned i = 0; i < n; i++) {
      s++;
      if (s == 4) exit(3);
    }
  else
    s = 10 + n;
#ifdef WRONG
  assert(s != 3);
  assert(s != 15);
#endif
  assert(s < 4 || s >= 10);
  return 0;
}
