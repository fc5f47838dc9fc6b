// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Jumps out of the inner loop, out of both, and to their next iterations.
#include "../attest.h"
int main(void) {
  int x = __VERIFIER_nondet_int(), hits = 0;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      if (x == i * 4 + j) goto done;
      if (x == 100 + i) break;
      hits++;
    }
    if (x == 200) continue;
    hits += 100;
  }
done:
#ifdef WRONG
  assert(hits != 1 + 4 + 100);
#endif
  assert(hits <= 416);
  assert(x != 102 || hits == 412);
  return 0;
}
