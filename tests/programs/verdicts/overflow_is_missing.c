// expect: safe
// options: --overflow assume
//
// The proof needs that nothing overflows.
#include "../attest.h"

int main(void) {
  int x = -50, y = __VERIFIER_nondet_int();
  if (y <= -1000 || y >= 1000000) return 0;
  while (x < 0) {
    x = x + y;
    y++;
  }
  if (y <= 0) reach_error();
  return 0;
}
