// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 122 122 122 122 122 122 122
//
// A hash of a text in a signed number.
#include "../input.h"

int main(void) {
  char text[7];
  for (int i = 0; i < 7; i++) text[i] = __VERIFIER_nondet_char();
#ifdef WRONG
  int hash = 5381;
#else
  unsigned hash = 5381;
#endif
  for (int i = 0; i < 7 && text[i]; i++)
    hash = hash * 33 + text[i]; // violated(WRONG): overflow/overflow
  return hash == 77;
}
