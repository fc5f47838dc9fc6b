// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// The table of rows itself is not freed.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  int **table = malloc(2 * sizeof *table); // violated(WRONG): leak/unreachable-memory
  if (!table) return 1;
  for (int i = 0; i < 2; i++) {
    table[i] = malloc(sizeof(int));
    if (table[i]) *table[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < 2; i++) free(table[i]);
#ifndef WRONG
  free(table);
#endif
  return 0;
}
