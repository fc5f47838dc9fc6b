// expect: unsafe
// natively: confirmed
// inputs: 123456789
//
// The same, where the memory may belong to another object by then.
#include "../input.h"
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  int *q;
  *p = 1;
  int x = __VERIFIER_nondet_int();
  if (x == 123456789) free(p);
  q = malloc(4);
  *q = 2;
  *p = 3; // violated: memory/use-after-free
  assert(*q == 2);
  return 0;
}
