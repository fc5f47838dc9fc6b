// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 2147483647
//
// An operation that is chosen from a table multiplies.
#include "../input.h"

static int same(int x) { return x; }
static int twice(int x) { return x * 2; } // violated(WRONG): overflow/overflow

int main(void) {
  static int (*const operations[])(int) = {same, twice};
  unsigned k = __VERIFIER_nondet_uint() & 1;
  int x = __VERIFIER_nondet_int();
#ifdef WRONG
  if (x < 0) return 0;
#else
  if (x < 0 || x > 1000) return 0;
#endif
  return operations[k](x) == 10;
}
