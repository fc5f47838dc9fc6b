// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 61 98
//
// strchr finds nothing, and what it returns is written to.
#include "../input.h"
#include <string.h>

int main(void) {
  char line[3];
  line[0] = __VERIFIER_nondet_char();
  line[1] = __VERIFIER_nondet_char();
  line[2] = 0;
  char *equals = strchr(line, '=');
  if (!equals) return 1;
  char *second = strchr(equals + 1, '=');
#ifndef WRONG
  if (!second) return 1;
#endif
  *second = 0; // violated(WRONG): memory/null-dereference
  return 0;
}
