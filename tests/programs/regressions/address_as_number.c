// expect: unsafe
//
// The address of an object lies in the environment's memory as a number.
#include "../attest.h"

int x;

int main(void) {
  unsigned long *p = __VERIFIER_nondet_pointer();
  *p = (unsigned long)&x;
  int *q = *(int **)p;
  *q = 1;
  if (x) reach_error();
  return 0;
}
