// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 47
//
// Two sums in turn, once too often.
#include "../input.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
#ifdef WRONG
  if (n > 47) return 0;
#else
  if (n > 45) return 0;
#endif
  int a = 0, b = 1;
  for (int i = 0; i < n; i++) {
    int c = a + b; // violated(WRONG): overflow/overflow
    a = b;
    b = c;
  }
  return a == 8;
}
