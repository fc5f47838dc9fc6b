// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// A table of constants is written through a cast.
#include "../input.h"

static const int limits[3] = {10, 20, 30};
static int own[3];

static void set(const int *table, int i) {
  int *t = (int *)table;
  t[i] = 1; // violated(WRONG): memory/constant-write
}

int main(void) {
#ifdef WRONG
  set(__VERIFIER_nondet_int() == 1 ? limits : own, 1);
#else
  set(__VERIFIER_nondet_int() == 1 ? own + 1 : own, 1);
#endif
  return own[0];
}
