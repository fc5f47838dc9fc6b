// expect: unsafe
// natively: confirmed
//
// A shift by an input.
#include "../input.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  return 1 << x; // violated: arithmetic/shift
}
