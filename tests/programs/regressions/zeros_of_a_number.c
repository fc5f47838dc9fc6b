// expect: safe
//
// How many zeros a number begins with.
#include "../attest.h"

int main(void) {
  unsigned x = __VERIFIER_nondet_int();
  if (x && __builtin_clz(x) > 31) reach_error();
  return 0;
}
