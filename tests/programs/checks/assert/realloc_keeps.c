// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 8
//
// realloc keeps what was there.
#include "../input.h"
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *a = malloc(2 * sizeof *a);
  if (!a) return 1;
  a[0] = __VERIFIER_nondet_int();
  a[1] = 4;
  int first = a[0];
  int *b = realloc(a, 6 * sizeof *b);
  if (!b) return 1;
#ifdef WRONG
  if (first == 8) b[0] = b[1];
#else
  if (first == 8) b[2] = b[1];
#endif
  assert(b[0] == first); // violated(WRONG): assert/failed
  free(b);
  return 0;
}
