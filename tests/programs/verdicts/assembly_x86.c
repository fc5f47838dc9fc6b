// expect: safe
// options: -- -DBIT=66
// expect: unsafe
// options: -- -DBIT=65
//
// Inline assembly is part of proofs and of tests.
#include "../attest.h"

static int test_and_set(int nr, unsigned long *words) {
  int old;
  __asm__ volatile("lock; bts %2,%1\n\tsbb %0,%0"
                   : "=r"(old), "+m"(*(volatile long *)words)
                   : "Ir"(nr)
                   : "memory");
  return old;
}

int main(void) {
  unsigned long words[2] = {0, 4};
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 127) return 0;
  if (test_and_set(n, words) && n != BIT) reach_error();
  if (!(words[n / 64] >> n % 64 & 1)) reach_error();
  return 0;
}
