// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// Statics and globals start as zero.
#include "../input.h"

static int table[4];

int main(void) {
#ifdef WRONG
  int count;
#else
  static int count;
#endif
  if (table[__VERIFIER_nondet_uint() & 3]) return 1;
  if (count) return 2; // violated(WRONG): uninitialised/never-set
  return 0;
}
