// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 3
//
// All cases of a switch return; code after it is said to be unreachable.
#include "../input.h"

static int name(unsigned kind) {
  switch (kind & 3) {
  case 0: return 'a';
  case 1: return 'b';
  case 2: return 'c';
#ifndef WRONG
  case 3: return 'd';
#endif
  }
  __builtin_unreachable(); // violated(WRONG): arithmetic/unreachable
}

int main(void) { return name(__VERIFIER_nondet_uint()); }
