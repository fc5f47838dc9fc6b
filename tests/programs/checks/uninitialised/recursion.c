// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// A recursion sets its result in every activation but the deepest.
#include "../input.h"

static void depth(unsigned n, unsigned *out) {
#ifdef WRONG
  if (n == 0) return;
#else
  if (n == 0) {
    *out = 0;
    return;
  }
#endif
  unsigned below;
  depth(n - 1, &below);
  *out = below + 1;
}

int main(void) {
  unsigned d;
  depth(__VERIFIER_nondet_uint() % 3, &d);
  if (d == 2) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
