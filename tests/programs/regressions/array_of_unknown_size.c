// expect: unknown
//
// An array whose size is said elsewhere.
#include "../attest.h"

extern int table[];

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x != 123456) return 0;
  if (table[1] == 5) reach_error();
  return 0;
}
