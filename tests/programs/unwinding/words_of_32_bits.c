// expect: safe
// says: all executions unwound
// options: --data-model ilp32
// expect: unsafe
// options: --data-model ilp32 -- -DWRONG
//
// The halves of numbers of 8 bytes where pointers have 4, and pointers in a structure.
#include "../attest.h"
struct s { int *p; long n; };
int main(void) {
  int x = 1, y = 2;
  struct s a[2] = {{&x, 3}, {&y, 4}};
  unsigned long long v[2] = {1, 2};
  unsigned i = __VERIFIER_nondet_uint() % 4;
  ((unsigned *)v)[i] = 7;
  struct s t = a[i % 2];
  *t.p = 9;
#ifdef WRONG
  assert(v[0] + v[1] != 9);
#endif
  assert((v[0] + v[1]) >> 32 == (i % 2 ? 7 : 0));
  assert(sizeof(long) == 4 && (i % 2 ? x == 1 && y == 9 : x == 9 && y == 2));
  return 0;
}
