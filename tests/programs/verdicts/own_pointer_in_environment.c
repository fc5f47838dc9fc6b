// expect: unsafe
//
// What the program put into the environment's memory comes out of it.
#include "../attest.h"

int flag;

int main(void) {
  int **p = __VERIFIER_nondet_pointer();
  *p = &flag;
  **p = 1;
  if (flag) reach_error();
  return 0;
}
