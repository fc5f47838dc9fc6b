// expect: unsafe
// options: -- -funsigned-char
// expect: safe
// expect: safe
// options: -- -funsigned-char -fsigned-char
//
// The argument is clang's, and the native run has it too: a character is never below zero.
#include "../attest.h"

extern char __VERIFIER_nondet_char(void);

int main(void) {
  char c = __VERIFIER_nondet_char();
  if (c > 127) reach_error();
  return 0;
}
