// expect: unknown
// budget: 30
// says: --overflow assume gives safe
// expect: safe
// options: --overflow assume
//
// The proof needs that nothing overflows; that this is all that is missing is said.
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
