// expect: unsafe
// natively: confirmed
// inputs: 123456789
//
// An index that one input puts past the end.
#include "../input.h"

int main(void) {
  int a[4];
  int x = __VERIFIER_nondet_int();
  if (x == 123456789) a[x & 7] = 1; // violated: memory/out-of-bounds
  return 0;
}
