// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 32 33
//
// What is freed is not what was allocated: leading blanks were skipped.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  char *text = malloc(3);
  if (!text) return 1;
  text[0] = __VERIFIER_nondet_char();
  text[1] = __VERIFIER_nondet_char();
  text[2] = 0;
  char *p = text;
  while (*p == ' ') p++;
  int first = *p;
#ifdef WRONG
  free(p); // violated(WRONG): memory/bad-free
#else
  free(text);
#endif
  return first;
}
