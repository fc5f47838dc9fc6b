// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 0
//
// The least element of an array that may be empty.
#include "../input.h"

static int least(const int *a, unsigned n) {
#ifdef WRONG
  int least;
#else
  int least = 0;
#endif
  for (unsigned i = 0; i < n; i++)
    if (i == 0 || a[i] < least) least = a[i];
  return least;
}

int main(void) {
  int a[3] = {5, 3, 9};
  unsigned n = __VERIFIER_nondet_uint() % 4;
  if (least(a, n) == 3) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
