// expect: safe
// expect: unknown
// options: --without arrays
// budget: 5
//
// A fact about every element of an array, from the loop that writes them to the one that
// reads them.
#include "../attest.h"

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = 7;
  for (int i = 0; i < n; i++)
    if (a[i] != 7) reach_error();
  return 0;
}
