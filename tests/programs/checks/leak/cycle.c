// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// Two objects that point to each other, and nothing else does: one violation, at the first.
#include "../input.h"
#include <stdlib.h>

struct peer {
  struct peer *other;
  int id;
};

int main(void) {
  struct peer *a = malloc(sizeof *a); // violated(WRONG): leak/unreachable-memory
  struct peer *b = malloc(sizeof *b);
  if (!a || !b) exit(1);
  a->other = b;
  b->other = a;
  a->id = __VERIFIER_nondet_int();
#ifndef WRONG
  free(b);
  free(a);
#else
  free(a->other->other == a ? NULL : b);
  a = b = NULL;
#endif
  return 0;
}
