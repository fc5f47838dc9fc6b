// expect: safe
// check: memory
// expect: unsafe
// check: memory
// options: -- -DWRONG
// natively: confirmed
//
// A string is reversed in place, with the end counted from the wrong byte.
#include "../input.h"
#include <stdlib.h>

static void reverse(char *s, size_t n) {
  if (n == 0) return;
#ifdef WRONG
  char *end = s + n;
#else
  char *end = s + n - 1;
#endif
  while (s < end) {
    char c = *s;
    *s++ = *end; // violated(WRONG): memory/out-of-bounds
    *end-- = c;
  }
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 3 + 2;
  char *s = malloc(n);
  if (!s) return 1;
  for (unsigned i = 0; i < n; i++) s[i] = 'a';
  reverse(s, n);
  free(s);
  return 0;
}
