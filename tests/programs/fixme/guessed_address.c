// expect: unknown(does not fail natively)
// options: -- -DCASE=1
// expect: unknown(does not fail natively)
// options: -- -DCASE=2
// expect: unknown(does not fail natively)
// options: -- -DCASE=3
// expect: unknown
// options: -- -DCASE=4
// expect: unsafe
// options: -- -DCASE=5
// violated: memory/invalid-pointer at 40
// natively: confirmed
//
// FIXME: the first four are unsafe, because a number that was guessed may turn out to be an
// object's address; a native run has its objects elsewhere. No object is ever at the address of the last.
#include "../attest.h"

int x;

int main(void) {
#if CASE == 1
  if ((int *)__VERIFIER_nondet_ulong() == &x) reach_error();
#elif CASE == 2
  unsigned long n = __VERIFIER_nondet_ulong();
  int *p = (int *)n;
  if (p != &x) return 0;
  reach_error();
#elif CASE == 3
  union {
    unsigned long n;
    int *p;
  } u;
  u.n = __VERIFIER_nondet_ulong();
  if (u.p == &x) reach_error();
#elif CASE == 4
  int *p = (int *)__VERIFIER_nondet_ulong();
  if (p == &x) *p = 1;
  if (x) reach_error();
#elif CASE == 5
  *(int *)0x20000ul = 1;
  reach_error();
#endif
  return 0;
}
