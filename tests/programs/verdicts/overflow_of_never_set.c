// expect: unknown(never set)
// options: --property no-overflow
//
// A sum overflows for some value of a variable that was never set. Using the value is undefined
// before the sum is, and no machine need have that value there.
#include "../attest.h"

int main(void) {
  long flags;
  int n = __VERIFIER_nondet_int();
  if (n != 4711) return 0;
  flags = flags + 4;
  return flags == 5;
}
