// expect: unsafe
// check: uninitialised
// natively: no (valgrind tells it at the end of the program, without a line)
// inputs: 3
//
// A result that was never set for nearly all inputs.
#include "../input.h"

int main(void) {
  int y;
  if (__VERIFIER_nondet_int() == 123456789) y = 1;
  return y + 1; // violated: uninitialised/never-set
}
