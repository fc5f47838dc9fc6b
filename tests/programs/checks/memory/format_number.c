// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: -123456
//
// The digits of an int do not fit the buffer for all ints.
#include "../input.h"
#include <stdio.h>

int main(void) {
  char text[12];
  char small[6];
  int x = __VERIFIER_nondet_int();
#ifdef WRONG
  sprintf(small, "%d", x); // violated(WRONG): memory/out-of-bounds
#else
  snprintf(small, sizeof small, "%d", x);
#endif
  sprintf(text, "%d", (short)x);
  return small[0] == text[0];
}
