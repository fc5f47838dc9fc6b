// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Large structures as arguments and results, with a write at any place.
#include "../attest.h"
struct s { int a[100]; };
static struct s global;
static struct s f(struct s v, unsigned i) {
  v.a[i] += 3;
  return v;
}
int main(void) {
  unsigned i = __VERIFIER_nondet_uint() % 100;
  global.a[7] = 1;
  struct s v = f(f(global, i), 7);
#ifdef WRONG
  assert(v.a[7] != 7);
#endif
  assert(v.a[7] == (i == 7 ? 7 : 4) && global.a[7] == 1);
  return 0;
}
