// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 4
//
// A pointer is set only where something was found.
#include "../input.h"

int main(void) {
  static int table[3] = {1, 2, 3};
  int *found;
#ifndef WRONG
  found = 0;
#endif
  int wanted = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++)
    if (table[i] == wanted) found = &table[i];
  if (found) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
