// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// The elements of an array are moved up by memcpy.
#include "../input.h"
#include <string.h>

int main(void) {
  int a[6] = {1, 2, 3, 4, 5, 6};
  unsigned n = __VERIFIER_nondet_uint() % 4 + 2;
#ifdef WRONG
  memcpy(a + 1, a, n * sizeof a[0]); // violated(WRONG): memory/overlapping-copy
#else
  memmove(a + 1, a, n * sizeof a[0]);
#endif
  return a[1];
}
