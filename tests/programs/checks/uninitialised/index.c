// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 4
//
// A value that was never set is an index.
#include "../input.h"

static const int table[4] = {1, 2, 3, 4};

int main(void) {
#ifdef WRONG
  unsigned i;
#else
  unsigned i = 0;
#endif
  unsigned x = __VERIFIER_nondet_uint();
  if (x < 4) i = x;
  return table[i & 3]; // violated(WRONG): uninitialised/never-set
}
