// expect: safe
//
// The greatest element.
#include "../attest.h"

int a[30];

int main(void) {
  int max = 0;
  for (int i = 0; i < 30; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] > max) max = a[i];
  }
  for (int j = 0; j < 30; j++) assert(a[j] <= max);
  return 0;
}
