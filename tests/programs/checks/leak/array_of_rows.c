// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// A matrix of rows: the rows are freed but the last.
#include "../input.h"
#include <stdlib.h>

#define ROWS 3

int main(void) {
  int *rows[ROWS];
  for (int i = 0; i < ROWS; i++) {
    rows[i] = malloc(4 * sizeof(int)); // violated(WRONG): leak/unreachable-memory
    if (rows[i]) rows[i][0] = __VERIFIER_nondet_int();
  }
#ifdef WRONG
  for (int i = 0; i < ROWS - 1; i++)
#else
  for (int i = 0; i < ROWS; i++)
#endif
    free(rows[i]);
  return 0;
}
