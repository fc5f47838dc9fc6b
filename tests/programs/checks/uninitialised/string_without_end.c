// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 7
//
// strncpy does not end a text that is too long, and what follows it was never set.
#include "../input.h"
#include <string.h>

int main(void) {
  char name[8];
#ifdef WRONG
  strncpy(name, __VERIFIER_nondet_int() == 7 ? "abcd" : "abc", 4);
#else
  strncpy(name, __VERIFIER_nondet_int() == 7 ? "abc" : "ab", 4);
#endif
  size_t n = strlen(name); // violated(WRONG): uninitialised/never-set
  return n == 3;
}
