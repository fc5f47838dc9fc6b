// expect: unsafe
//
// A number that is stored as a pointer is no pointer of the environment's.
#include "../attest.h"

int main(void) {
  int **p = malloc(16);
  if (__VERIFIER_nondet_pointer())
    *p = (int *)0x100100ul;
  else
    *p = 0;
  if (*p == (int *)0x100100ul) reach_error();
  return 0;
}
