// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 42
//
// A pointer outlives the block of what it points to.
#include "../input.h"

int main(void) {
  int zero = 0;
  int *p = &zero;
  if (__VERIFIER_nondet_int() == 42) {
#ifdef WRONG
    int local = 7;
    p = &local;
#else
    static int local = 7;
    p = &local;
#endif
  }
  return *p; // violated(WRONG): memory/use-after-free
}
