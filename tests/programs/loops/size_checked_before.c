// expect: safe
//
// What was checked before the loop, far from where any test meets it.
#include "../attest.h"

int main(void) {
  int head = __VERIFIER_nondet_int(), size = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (head <= 0 || size <= 0 || n <= 0 || head > 9000 || size > 9000 || n > 9000) return 0;
  int room = size - head;
  if (room < 3 * n) return 0;
  for (int i = 0; i < n; i++) {
    assert(3 * i + 2 < room);
  }
  return 0;
}
