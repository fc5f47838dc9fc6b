// expect: unsafe
//
// The difference of two objects' addresses is a number that C leaves open.
#include "../attest.h"

int main(void) {
  int a, b;
  int x = __VERIFIER_nondet_int();
  if (x != 123456) return 0;
  if ((size_t)&a - (size_t)&b != 0) reach_error();
  return 0;
}
