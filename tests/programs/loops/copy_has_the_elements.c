// expect: safe
//
// One array's elements are another's, walked over from the end.
#include "../attest.h"

int b[50];

int main(void) {
  int a[50];
  for (int i = 0; i < 50; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 49; i >= 0; i--) b[i] = a[i];
  for (int j = 0; j < 50; j++) assert(a[j] == b[j]);
  return 0;
}
