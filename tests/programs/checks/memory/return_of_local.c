// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// The text that a function returns is a local of it.
#include "../input.h"

static const char *name(int k, char *buffer) {
#ifdef WRONG
  char local[8];
  char *text = local;
#else
  char *text = buffer;
#endif
  text[0] = (char)('a' + (k & 7));
  text[1] = 0;
  return text;
}

int main(void) {
  char buffer[8];
  const char *text = name(__VERIFIER_nondet_int(), buffer);
  return text[0]; // violated(WRONG): memory/use-after-free
}
