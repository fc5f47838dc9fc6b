// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A move within an array, of as many bytes as an input says.
#include "../attest.h"
void *memmove(void *, const void *, size_t);
int main(void) {
  unsigned char a[10];
  unsigned n = __VERIFIER_nondet_uint();
  for (int i = 0; i < 10; i++) a[i] = i;
  if (n > 8) return 0;
  memmove(a + 2, a, n);
#ifdef WRONG
  assert(a[6] != 6 || a[5] != 3);
#endif
  assert(n < 5 ? a[9] == 9 : a[6] == 4);
  assert(n != 8 || a[9] == 7);
  return 0;
}
