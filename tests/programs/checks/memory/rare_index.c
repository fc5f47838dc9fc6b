// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 123456789
//
// One input of four thousand million goes past the end.
#include "../input.h"

int main(void) {
  int table[4] = {1, 2, 3, 4};
  int x = __VERIFIER_nondet_int();
  unsigned i = 0;
#ifdef WRONG
  if (x == 123456789) i = x & 7;
#else
  if (x == 123456789) i = x & 3;
#endif
  return table[i]; // violated(WRONG): memory/out-of-bounds
}
