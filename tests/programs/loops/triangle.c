// expect: safe
//
// Linear inequalities with a factor of the program.
#include "../attest.h"

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 5000) return 0;
  for (int i = 1; i < n; i++)
    for (int j = i; j < 3 * i; j++) assert(j < 3 * n);
  return 0;
}
