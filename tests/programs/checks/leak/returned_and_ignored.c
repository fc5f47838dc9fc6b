// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// A function returns a fresh text, and one caller only looks at it.
#include "../input.h"
#include <stdlib.h>

static char *join(char a, char b) {
  char *s = malloc(3); // violated(WRONG): leak/unreachable-memory
  if (!s) exit(1);
  s[0] = a;
  s[1] = b;
  s[2] = 0;
  return s;
}

int main(void) {
#ifdef WRONG
  return join('a', __VERIFIER_nondet_char())[1] == 'b';
#else
  char *s = join('a', __VERIFIER_nondet_char());
  int r = s[1] == 'b';
  free(s);
  return r;
#endif
}
