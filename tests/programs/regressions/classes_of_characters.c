// expect: unsafe
//
// Classes of characters are bits and not truth values.
#include "../attest.h"

int isupper(int);

int main(void) {
  int c = __VERIFIER_nondet_int();
  if (c < 0 || c > 255) return 0;
  if (isupper(c) > 1) reach_error();
  return 0;
}
