// expect: unsafe
// inputs: 1 77
//
// A condition of two parts before the assertion.
#include "../input.h"
#include <assert.h>

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (!a || !b) return 0;
  if (!(a > 0)) return 0;
  assert(b != 77); // violated: assert/failed
  return 0;
}
