// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// The rows and columns of a matrix on the heap are mixed up.
#include "../input.h"
#include <stdlib.h>

#define ROWS 2
#define COLUMNS 3

int main(void) {
  int *m = malloc(ROWS * COLUMNS * sizeof *m);
  if (!m) return 1;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
#ifdef WRONG
      m[i * COLUMNS + j * ROWS] = __VERIFIER_nondet_int(); // violated(WRONG): memory/out-of-bounds
#else
      m[i * COLUMNS + j] = __VERIFIER_nondet_int();
#endif
    }
  int corner = m[0];
  free(m);
  return corner == 1;
}
