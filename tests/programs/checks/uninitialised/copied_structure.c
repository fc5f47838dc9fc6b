// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 0
//
// A structure is copied while part of it is unset; the copy decides later.
#include "../input.h"

struct options {
  int verbose, level;
};

int main(void) {
  struct options o, copy;
  o.verbose = 1;
  if (__VERIFIER_nondet_bool()) o.level = 2;
#ifndef WRONG
  else o.level = 0;
#endif
  copy = o;
  if (copy.level) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
