// expect: safe
// check: assert
// options: --with cd -- -DCONDITION=(x==x+1)
// expect: unsafe
// options: --with cd -- -DCONDITION=(x*3==14133)
//
// What fails only with a branch left open does not fail: the branch is put back.
#include "../attest.h"

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 1;
  if (CONDITION) y = 0;
  if (!y) reach_error();
  return 0;
}
