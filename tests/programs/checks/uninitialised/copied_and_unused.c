// expect: safe
// check: uninitialised
//
// Copying what is unset is no use of it.
#include "../input.h"

struct options {
  int verbose, level;
};

static struct options keep(struct options o) { return o; }

int main(void) {
  struct options o;
  o.verbose = __VERIFIER_nondet_int();
  struct options copy = keep(o);
  return copy.verbose == 3;
}
