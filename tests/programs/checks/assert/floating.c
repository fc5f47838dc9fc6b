// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 2.0 2.0
//
// The mean of two numbers lies between them.
#include "../input.h"
#include <assert.h>

int main(void) {
  double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
  if (!(a >= 0 && a <= 1000 && b >= a && b <= 1000)) return 0;
#ifdef WRONG
  double m = a + b / 2;
#else
  double m = a > b ? b : a;
#endif
  assert(m >= a && m <= b); // violated(WRONG): assert/failed
  return 0;
}
