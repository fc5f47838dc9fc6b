// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 65535
//
// Unsigned numbers wrap around, and so does what is narrower than int.
#include "../input.h"

int main(void) {
  unsigned short a = __VERIFIER_nondet_ushort();
  unsigned u = 0u - a;
  u = u * 2654435761u + 1;
  unsigned char c = (unsigned char)(a + 300);
#ifdef WRONG
  int square = a * a; // violated(WRONG): overflow/overflow
#else
  unsigned square = (unsigned)a * a;
#endif
  return u == c && square == 9;
}
