// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 15
//
// The lowest bit of a word by two's complement.
#include "../input.h"
#include <assert.h>

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
#ifdef WRONG
  unsigned low = x & (x - 1);
#else
  unsigned low = x & -x;
#endif
  assert((low & (low - 1)) == 0 && (x & low) == low); // violated(WRONG): assert/failed
  return 0;
}
