// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 77 50
//
// A value is brought into a range with its bounds in the wrong order for one input.
#include "../input.h"
#include <assert.h>

static int clamp(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}

int main(void) {
  int mode = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
#ifdef WRONG
  int low = mode == 77 ? 100 : 0;
#else
  int low = mode == 77 ? 10 : 0;
#endif
  int r = clamp(x, low, 99);
  assert(r <= 99); // violated(WRONG): assert/failed
  return 0;
}
