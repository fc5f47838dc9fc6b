// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 5
//
// An upper-case function is given a string literal.
#include "../input.h"

static void shout(char *s) {
  for (; *s; s++)
    if (*s >= 'a' && *s <= 'z') *s = (char)(*s - 32); // violated(WRONG): memory/constant-write
}

int main(void) {
  char mine[] = "abc";
#ifdef WRONG
  char *s = __VERIFIER_nondet_int() == 5 ? (char *)"abc" : mine;
#else
  char *s = __VERIFIER_nondet_int() == 5 ? (char *)"ABC" : mine;
#endif
  shout(s);
  return s[0];
}
