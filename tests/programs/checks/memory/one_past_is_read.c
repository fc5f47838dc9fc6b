// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 99
//
// The end of an array is read where no element fits.
#include "../input.h"

int main(void) {
  int ids[5] = {3, 5, 7, 11, 13};
  int id = __VERIFIER_nondet_int();
  int *p = ids;
  while (p != ids + 5 && *p != id) p++;
#ifndef WRONG
  if (p == ids + 5) return 0;
#endif
  return *p; // violated(WRONG): memory/out-of-bounds
}
