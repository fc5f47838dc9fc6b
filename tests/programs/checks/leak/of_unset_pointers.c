// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// A member that is not set at once is a pointer of the environment as far as points-to knows. What
// is freed through it is freed all the same.
#include "../input.h"
#include <stdlib.h>

struct pair {
  struct pair *other;
  int data;
};

int main(void) {
  struct pair *a = malloc(sizeof *a);
  if (!a) return 0;
  a->data = __VERIFIER_nondet_int();
  if (a->data > 2) {
    a->other = malloc(sizeof *a); // violated(WRONG): leak/unreachable-memory
  }
#ifdef WRONG
  if (a->data > 3) free(a->other);
#else
  if (a->data > 2) free(a->other);
#endif
  free(a);
  return 0;
}
