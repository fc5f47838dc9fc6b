// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 1900
//
// The rule for leap years, in two forms.
#include "../input.h"
#include <assert.h>

static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }

int main(void) {
  int y = __VERIFIER_nondet_int();
  if (y < 1583 || y > 2500) return 0;
#ifdef WRONG
  int days = y % 4 ? 365 : 366;
#else
  int days = y % 4 ? 365 : y % 100 ? 366 : y % 400 ? 365 : 366;
#endif
  assert(days == 365 + leap(y)); // violated(WRONG): assert/failed
  return 0;
}
