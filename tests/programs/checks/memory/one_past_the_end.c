// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// A pointer one past the end is compared and not read.
#include "../input.h"

int main(void) {
  char text[6] = "hello";
  char wanted = __VERIFIER_nondet_char();
  const char *end = text + sizeof text - 1;
  const char *p = text;
  while (p != end && *p != wanted) p++;
#ifdef WRONG
  return p[1] == wanted; // violated(WRONG): memory/out-of-bounds
#else
  return p[0] == wanted;
#endif
}
