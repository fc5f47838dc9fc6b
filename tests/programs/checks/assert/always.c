// expect: unsafe
//
// An assertion that fails whatever the inputs are.
#include "../input.h"
#include <assert.h>

int main(void) {
  int x = __VERIFIER_nondet_int() & 7;
  assert(x > 7); // violated: assert/failed
  return 0;
}
