// expect: unsafe
//
// A pointer of the environment may be an error number.
#include "../attest.h"

int main(void) {
  char *p = __VERIFIER_nondet_pointer();
  if ((unsigned long)p >= (unsigned long)-4095) reach_error();
  return 0;
}
