// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 5
//
// A counted object is taken once more than it is given back.
#include "../input.h"
#include <stdlib.h>

struct counted {
  int references;
};

static struct counted *take(struct counted *c) {
  c->references++;
  return c;
}

static void give(struct counted *c) {
  if (--c->references == 0) free(c);
}

int main(void) {
  struct counted *c = malloc(sizeof *c); // violated(WRONG): leak/unreachable-memory
  if (!c) return 1;
  c->references = 1;
  if (__VERIFIER_nondet_int() == 5) {
    struct counted *other = take(c);
#ifndef WRONG
    give(other);
#endif
  }
  give(c);
  return 0;
}
