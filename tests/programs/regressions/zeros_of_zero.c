// expect: unknown(does not fail natively)
//
// How many zeros zero begins with is undefined in C.
#include "../attest.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_int();
  if (__builtin_clz(x) != 32) return 0;
  if (!x) reach_error();
  return 0;
}
