// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1000
//
// A recursion writes once more than the buffer has room.
#include "../input.h"

static void digits(char *to, unsigned n) {
  *to = (char)('0' + n % 10); // violated(WRONG): memory/out-of-bounds
  if (n >= 10) digits(to + 1, n / 10);
}

int main(void) {
  char text[3];
  unsigned n = __VERIFIER_nondet_uint();
#ifdef WRONG
  digits(text, n % 1001);
#else
  digits(text, n % 1000);
#endif
  return text[0];
}
