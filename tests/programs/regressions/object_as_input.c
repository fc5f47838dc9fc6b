// expect: unknown(__VERIFIER_nondet_memory)
//
// An input that is no value.
#include "../attest.h"

extern void __VERIFIER_nondet_memory(void *, size_t);

int main(void) {
  int x = 0;
  __VERIFIER_nondet_memory(&x, sizeof x);
  if (x == 7) reach_error();
  return 0;
}
