// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
//
// Pointers in the initial contents of a table, one of which is replaced.
#include "../attest.h"
static int x = 1, y = 2;
static int *table[3] = {&x, &y, 0};
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
#ifdef WRONG
  if (i > 2) return 0;
#else
  if (i > 1) return 0;
#endif
  table[i] = table[1 - i];
  *table[0] += 3;
  assert(x + y == 6);
  return 0;
}
