// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 5 5
//
// Two numbers are exchanged without a third; the same number is exchanged with itself.
#include "../input.h"
#include <assert.h>

static void swap(unsigned *a, unsigned *b) {
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = x;
  unsigned *p = &x;
#ifdef WRONG
  unsigned *q = x == 5 ? &x : &y;
#else
  unsigned *q = &y;
#endif
  swap(p, q);
  assert(x == y); // violated(WRONG): assert/failed
  return 0;
}
