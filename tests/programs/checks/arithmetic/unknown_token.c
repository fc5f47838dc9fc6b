// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 43 47
//
// A token that the lexer can make and the parser says it cannot.
#include "../input.h"

enum token { NUMBER, PLUS, MINUS, SLASH };

static enum token lex(char c) {
  if (c >= '0' && c <= '9') return NUMBER;
  if (c == '+') return PLUS;
#ifndef WRONG
  return MINUS;
#else
  return c == '/' ? SLASH : MINUS;
#endif
}

static int sign(enum token t) {
  switch (t) {
  case NUMBER: return 0;
  case PLUS: return 1;
  case MINUS: return -1;
  default: __builtin_unreachable(); // violated(WRONG): arithmetic/unreachable
  }
}

int main(void) {
  int a = sign(lex(__VERIFIER_nondet_char()));
  return a + sign(lex(__VERIFIER_nondet_char()));
}
