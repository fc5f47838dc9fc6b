// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 16
//
// A size is rounded up to a multiple of eight.
#include "../input.h"
#include <assert.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 1000000) return 0;
#ifdef WRONG
  unsigned r = (n | 7) + 1;
#else
  unsigned r = (n + 7) & ~7u;
#endif
  assert(r % 8 == 0 && r >= n && r - n < 8); // violated(WRONG): assert/failed
  return 0;
}
