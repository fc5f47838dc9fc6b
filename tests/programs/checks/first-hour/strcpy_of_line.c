// expect: unsafe
// natively: confirmed
// inputs: 1 1 1 1 1 1 1
//
// A line is copied to a buffer that is shorter: the place is the call and not inside the
// library.
#include "../input.h"
#include <string.h>

int main(void) {
  char b[8], c[4];
  for (int i = 0; i < 7; i++) b[i] = __VERIFIER_nondet_char();
  b[7] = 0;
  strcpy(c, b); // violated: memory/out-of-bounds
  return c[0];
}
