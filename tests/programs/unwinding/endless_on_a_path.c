// expect: safe
//
// A loop without an end on one path: it is not unwound, and the engines decide.
#include "../attest.h"
int main(void) {
  int x = 1;
  if (__VERIFIER_nondet_int() == 3)
    while (1) x = 3 - x;
  assert(x == 1);
  return 0;
}
