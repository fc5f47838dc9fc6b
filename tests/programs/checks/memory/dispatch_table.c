// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 3
//
// A table of functions is called with an index past its end.
#include "../input.h"

static int stop(int x) { return -x; }
static int go(int x) { return x; }
static int turn(int x) { return x / 2; }
static int (*const table[])(int) = {stop, go, turn};

int main(void) {
  unsigned command = __VERIFIER_nondet_uint();
  int x = __VERIFIER_nondet_short();
#ifdef WRONG
  if (command > 3) return 1;
#else
  if (command >= 3) return 1;
#endif
  return table[command](x); // violated(WRONG): memory/out-of-bounds
}
