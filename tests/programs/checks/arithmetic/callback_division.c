// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2 8 0
//
// One of the operations of a table of functions divides.
#include "../input.h"

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int quotient(int a, int b) {
#ifndef WRONG
  if (!b) return 0;
#endif
  return a / b; // violated(WRONG): arithmetic/division
}

int main(void) {
  int (*const operations[])(int, int) = {add, sub, quotient};
  unsigned k = __VERIFIER_nondet_uint();
  if (k > 2) return 1;
  int a = __VERIFIER_nondet_short();
  return operations[k](a, __VERIFIER_nondet_short());
}
