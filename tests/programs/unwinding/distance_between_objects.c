// expect: unsafe
// check: assert
//
// A number to which the distance between two objects is added is the other object's address.
#include "../attest.h"
int main(void) {
  int x = 1, y = 2;
  unsigned key = __VERIFIER_nondet_uint();
  long distance = key * 2654435761u == 12345 ? (long)&y - (long)&x : 0;
  int *p = (int *)((long)&x + distance);
  *p = 5;
  assert(y != 5);
  return 0;
}
