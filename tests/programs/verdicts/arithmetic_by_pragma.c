// expect: unknown(whose result the compiler may change)
//
// A pragma lets the compiler add in another order.
#include "../attest.h"

double sum(double a, double b, double c) {
#pragma clang fp reassociate(on)
  return a + b + c;
}

int main(void) {
  if (sum(1, 0x1p60, -0x1p60) != 0) reach_error();
  return 0;
}
