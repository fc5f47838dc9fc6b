// expect: safe(until memory/null-dereference at )
// check: assert
// expect: safe(until memory/null-dereference at )
// check: assert
// algorithm: smash
// options: --apart
// expect: safe(until memory/null-dereference at )
// check: assert
// options: -- -DGETS_PAST
//
// Code behind a pointer that is null each time never runs; that is no proof that it is
// right. Where some executions get past it there is a proof.
#include "../attest.h"

struct inner {
  int n;
};
struct outer {
  long pad;
  struct inner *in;
};
static int held;

static int probe(struct outer *o) {
  struct inner *in = o->in;
  if (in->n != 1) return -1;
  held = 1;
  return -2;
}

int main(void) {
  struct outer *o = calloc(1, sizeof *o);
  if (!o) return 0;
#ifdef GETS_PAST
  static struct inner i;
  if (__VERIFIER_nondet_int()) o->in = &i;
#endif
  for (;;) {
    int c = __VERIFIER_nondet_int();
    if (c == 0)
      probe(o);
    else if (c == 1)
      break;
  }
  if (held) reach_error();
  return 0;
}
