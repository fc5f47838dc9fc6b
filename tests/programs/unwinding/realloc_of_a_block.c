// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// A block that grows or shrinks, as an input says; the old one has ended.
#include "../attest.h"
void free(void *);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 1 || n > 4) return 0;
  char *old = malloc(2), *p;
  old[0] = 7;
  old[1] = 8;
  p = realloc(old, n);
#ifdef WRONG
  assert(n == 1 || old[1] == 8);
#else
  assert(p[0] == 7 && (n < 2 || p[1] == 8));
#endif
  free(p);
  return 0;
}
