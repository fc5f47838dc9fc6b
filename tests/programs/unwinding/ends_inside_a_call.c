// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// A function that ends the program on some of its paths; what follows holds on the others.
#include "../attest.h"
#include <stdlib.h>
static int limited(int x) {
  if (x < 0) exit(0);
#ifdef WRONG
  if (x > 9) return 10;
#else
  if (x > 9) abort();
#endif
  return x;
}
int main(void) {
  int digits[10] = {0};
  for (int i = 0; i < 3; i++) digits[limited(__VERIFIER_nondet_int())]++;
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += digits[i];
  assert(sum == 3);
  return 0;
}
