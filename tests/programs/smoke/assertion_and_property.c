// expect: safe
// options: --property unreach-call
// expect: unsafe
//
// A failed assertion that the property does not name ends the program.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x > 0);
  if (x < 0) reach_error();
  return 0;
}
