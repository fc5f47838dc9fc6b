// expect: safe
//
// One of two texts, neither of which writes to memory.
#include "../attest.h"

int main(void) {
  int n = 0;
  printf(__VERIFIER_nondet_int() ? "abc" : "%d and more", n);
  if (n == 3) reach_error();
  return 0;
}
