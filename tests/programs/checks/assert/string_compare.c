// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 107 101 121
//
// strcmp says whether two texts are the same.
#include "../input.h"
#include <assert.h>
#include <string.h>

int main(void) {
  char text[4];
  text[0] = __VERIFIER_nondet_char();
  text[1] = __VERIFIER_nondet_char();
  text[2] = __VERIFIER_nondet_char();
  text[3] = 0;
#ifndef WRONG
  text[1] = 'a';
#endif
  assert(strcmp(text, "key") != 0); // violated(WRONG): assert/failed
  return 0;
}
