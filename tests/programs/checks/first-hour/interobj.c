// expect: unsafe
//
// One past a member is the next member: the object is the whole structure, and what fails is
// the assertion.
#include "../input.h"
#include <assert.h>

struct s {
  char name[8];
  int admin;
};

int main(void) {
  struct s s;
  s.admin = 0;
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= 8);
  s.name[n] = 1;
  assert(s.admin == 0); // violated: assert/failed
  return 0;
}
