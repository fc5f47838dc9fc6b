// expect: safe
// algorithm: lctd
// check: assert
// expect: unknown(time limit)
// algorithm: dash
// check: assert
// budget: 5
//
// FIXME: the paper says that DASH proves its figure 1: a lock and the value that it guards,
// and two other locks that may be the same one. Our DASH does not, LCTD does.
#include "../attest.h"

int one, two, number;

static int *any(void) { return __VERIFIER_nondet_int() ? &one : &two; }

int main(void) {
  int *m, *v, *p = any(), *q = any(), seen, leave = 0;
  m = any();
  v = &number;
  number = __VERIFIER_nondet_int();
  if (m == p || m == q) leave = 1;
  *m = 0;
  *p = 0;
  *q = 0;
  if (leave) return 0;
  do {
    if (*m != 0) reach_error();
    *m = 1;
    if (*p == 1 || *q == 1) reach_error();
    seen = *v;
    if (__VERIFIER_nondet_int()) {
      (*v)++;
      if (*m != 1) reach_error();
      *m = 0;
    }
  } while (seen != *v);
  if (*m != 1) reach_error();
  *m = 0;
  return 0;
}
