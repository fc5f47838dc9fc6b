// expect: safe
//
// Both paths through the body add up to the same, which the terms show.
#include "../attest.h"

int main(void) {
  unsigned n = __VERIFIER_nondet_int(), a = 0, b = 0;
  for (unsigned i = 0; i < n; i++) {
    if (__VERIFIER_nondet_int()) {
      a += 1;
      b += 4;
    } else {
      a += 3;
      b += 2;
    }
  }
  assert(a + b == 5 * n);
  return 0;
}
