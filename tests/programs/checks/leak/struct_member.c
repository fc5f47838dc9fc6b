// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// A structure is freed and the buffer that it owns is not.
#include "../input.h"
#include <stdlib.h>

struct text {
  char *bytes;
  unsigned length;
};

static struct text *make(unsigned n) {
  struct text *t = malloc(sizeof *t);
  if (!t) exit(1);
  t->bytes = malloc(n); // violated(WRONG): leak/unreachable-memory
  if (!t->bytes) exit(1);
  t->length = n;
  return t;
}

static void drop(struct text *t) {
#ifndef WRONG
  free(t->bytes);
#endif
  free(t);
}

int main(void) {
  struct text *t = make(__VERIFIER_nondet_uint() % 7 + 1);
  t->bytes[0] = 'a';
  drop(t);
  return 0;
}
