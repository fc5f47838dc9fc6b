// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Structures whose size is no power of two, at places that inputs select.
#include "../attest.h"
struct s { int a, b, c; };
int main(void) {
  struct s v[4] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
  unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 4;
  v[i].b = 100;
  struct s t = v[j];
#ifdef WRONG
  assert(t.a + t.b + t.c != 116);
#endif
  assert(t.a == (int)(3 * j + 1) && t.c == (int)(3 * j + 3) && (t.b == 100) == (i == j));
  return 0;
}
