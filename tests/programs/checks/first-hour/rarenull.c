// expect: unsafe
// natively: confirmed
// inputs: 123456789
//
// A pointer that one input makes null.
#include "../input.h"

int main(void) {
  int y = 0;
  int *p = &y;
  if (__VERIFIER_nondet_int() == 123456789) p = 0;
  *p = 1; // violated: memory/null-dereference
  return 0;
}
