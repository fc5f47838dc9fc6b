// expect: safe(nothing to check)
// check: uninitialised
//
// Only the bit that was set is looked at: masks keep the others out.
#include "../input.h"

int main(void) {
  unsigned char flags;
  flags = (unsigned char)(__VERIFIER_nondet_bool() ? 1 : 0);
  unsigned word = 0;
  word |= flags;
  if (word & 1) return 1;
  return 0;
}
