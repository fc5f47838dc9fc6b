// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1000000000 1000000000 1000000000
//
// A sum of inputs with room for their number, or not.
#include "../input.h"

int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) {
    a[i] = __VERIFIER_nondet_int();
#ifdef WRONG
    if (a[i] < 0 || a[i] > 1000000000) return 0;
#else
    if (a[i] < 0 || a[i] > 700000000) return 0;
#endif
  }
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += a[i]; // violated(WRONG): overflow/overflow
  return sum == 7;
}
