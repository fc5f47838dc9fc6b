// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 6
//
// The sum of the first numbers by recursion and by a formula.
#include "../input.h"
#include <assert.h>

static unsigned sum(unsigned n) {
#ifdef WRONG
  return n == 0 ? 0 : n + sum(n == 6 ? 4 : n - 1);
#else
  return n == 0 ? 0 : n + sum(n - 1);
#endif
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 7;
  assert(sum(n) == n * (n + 1) / 2); // violated(WRONG): assert/failed
  return 0;
}
