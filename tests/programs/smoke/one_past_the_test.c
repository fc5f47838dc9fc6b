// expect: safe
//
// A bound by a constant that the loop's own test is one away from.
#include "../attest.h"

int main(void) {
  int i = 0, k = 0;
  while (__VERIFIER_nondet_int() && i <= 70000) {
    i++;
    k++;
  }
  for (int j = 0; j < i; j++) {
    assert(k > 0);
    k--;
  }
  return 0;
}
