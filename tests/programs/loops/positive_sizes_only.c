// expect: safe
//
// What holds only of the part of a loop that an earlier split left.
#include "../attest.h"

int main(void) {
  int n = __VERIFIER_nondet_int(), left = n, i = 0;
  if (n > 30000) return 0;
  while (i < n) {
    left--;
    i += 2;
  }
  for (int j = 0; j < n / 2; j++) {
    assert(left > 0);
    left--;
  }
  return 0;
}
