// expect: unknown(fused)
// options: -- -mfma
// expect: unknown(fused)
// options: -- -march=haswell
// expect: safe
// expect: safe
// options: -- -mfma -ffp-contract=off
//
// A machine that multiplies and adds with one rounding keeps what is lost otherwise.
#include "../attest.h"

double multiply_and_add(double a, double b, double c) { return a * b + c; }

int main(void) {
  if (multiply_and_add(0x1.0000001p0, 0x1.0000001p0, -0x1.0000002p0) != 0) reach_error();
  return 0;
}
