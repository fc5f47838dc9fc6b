// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// The rest of a long line is read in chunks up to its end. A chunk may begin with a NUL, and then
// the character before its end is before the buffer.
#include "../input.h"
#include <string.h>

static int next(char *chunk, int size) {
  for (int i = 0; i < size - 1; i++) chunk[i] = __VERIFIER_nondet_char();
  chunk[size - 1] = 0;
  return __VERIFIER_nondet_bool();
}

int main(void) {
  char chunk[4];
  while (next(chunk, 4)) {
    unsigned long n = strlen(chunk);
#ifndef WRONG
    if (n == 0) continue;
#endif
    if (chunk[n - 1] == '\n') break; // violated(WRONG): memory/out-of-bounds
  }
  return 0;
}
