// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Calls through a table of functions that an input selects.
#include "../attest.h"
static int twice(int x) { return 2 * x; }
static int next(int x) { return x + 1; }
static int less(int x) { return x - 1; }
static int (*const table[])(int) = {twice, next, less};
int main(void) {
  int x = 3;
  for (int i = 0; i < 4; i++) {
    unsigned which = __VERIFIER_nondet_uint();
    if (which < 3) x = table[which](x);
  }
#ifdef WRONG
  assert(x != 14);
#endif
  assert(x <= 48 && x >= -8);
  return 0;
}
