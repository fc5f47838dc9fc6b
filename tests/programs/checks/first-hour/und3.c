// expect: safe
//
// The size of an object is a member that is set, beside one that is not.
#include "../input.h"
#include <assert.h>
#include <stdlib.h>

struct list {
  unsigned long a, b;
  void *p;
};

int main(void) {
  struct list l;
  l.a = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(l.a > 5);
  l.p = malloc(l.a);
  assert(l.a > 5);
  return 0;
}
