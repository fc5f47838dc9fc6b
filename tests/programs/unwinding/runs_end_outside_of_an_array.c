// expect: safe(until memory/out-of-bounds)
// says: all executions unwound
// options: --check assert
// expect: unsafe
// options: --check assert -- -DWRONG
//
// Where only assertions are asked for, a run ends at an access outside of its object.
#include "../attest.h"
int main(void) {
  int a[4] = {0};
  unsigned i = __VERIFIER_nondet_uint();
  a[i] = 1;
#ifdef WRONG
  assert(i < 3);
#endif
  assert(i < 4);
  return 0;
}
