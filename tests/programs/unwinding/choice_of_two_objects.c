// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A pointer to one of two objects is written and read through.
#include "../attest.h"
struct pair { int a, b; };
int main(void) {
  struct pair x = {1, 2}, y = {3, 4};
  int which = __VERIFIER_nondet_int();
  struct pair *p = which > 7 ? &x : &y;
  p->b = 10;
  p->a += p->b;
#ifdef WRONG
  assert(x.a + y.a == 14 && (which > 8) == (x.a == 11));
#else
  assert(x.a + y.a == 14 && (which > 7) == (x.a == 11));
#endif
  return 0;
}
