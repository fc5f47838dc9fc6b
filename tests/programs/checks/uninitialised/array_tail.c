// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 2 1 1
//
// An array is filled up to a number and searched to its end.
#include "../input.h"

int main(void) {
  int a[4];
  unsigned n = __VERIFIER_nondet_uint() % 5;
  for (unsigned i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
#ifdef WRONG
  unsigned end = 4;
#else
  unsigned end = n;
#endif
  for (unsigned i = 0; i < end; i++)
    if (a[i] == 7) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
