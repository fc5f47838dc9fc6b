// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// The depth of a recursion depends on an input that is bounded.
#include "../attest.h"
static int steps(unsigned n, unsigned depth) {
#ifdef WRONG
  assert(depth < 4);
#else
  assert(depth < 5);
#endif
  if (n <= 1) return 0;
  return 1 + (n % 2 ? steps(3 * n + 1, depth + 1) : steps(n / 2, depth + 1));
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16) return 0;
  int k = steps(n, 0);
  assert(1u << k == n);
  return 0;
}
