// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// Only the diagonal of a matrix is set.
#include "../input.h"

int main(void) {
  int m[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
#ifdef WRONG
      if (i == j) m[i][j] = 1;
#else
      m[i][j] = i == j;
#endif
    }
  unsigned k = __VERIFIER_nondet_uint() & 1;
  if (m[0][k]) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
