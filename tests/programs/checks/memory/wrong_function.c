// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 77
//
// A function is called through a pointer of another type.
#include "../input.h"

static int add(int a, int b) { return (a & 7) + (b & 7); }
static int twice(int a) { return (a & 7) * 2; }

int main(void) {
  int x = __VERIFIER_nondet_int();
  void (*any)(void) = (void (*)(void))twice;
#ifdef WRONG
  if (x == 77) any = (void (*)(void))add;
#else
  if (x == 77) return add(x, x);
#endif
  return ((int (*)(int))any)(x); // violated(WRONG): memory/bad-call
}
