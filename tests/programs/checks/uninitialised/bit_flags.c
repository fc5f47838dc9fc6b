// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// Bits are set one by one in a word that has no first value.
#include "../input.h"

int main(void) {
#ifdef WRONG
  unsigned flags;
#else
  unsigned flags = 0;
#endif
  if (__VERIFIER_nondet_bool()) flags |= 1;
  else flags &= ~1u;
  if (flags & 2) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
