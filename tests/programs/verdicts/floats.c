// expect: safe
//
// Floats are decided where Z3 is, which the set-up installs.
#include "../attest.h"

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x >= 0.0 && x <= 10.0)) return 0;
  double y = x * 0.5 + 1.0;
  if (y < 1.0 || y > 6.0) reach_error();
  return 0;
}
