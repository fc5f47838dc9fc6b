// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// A global points to a buffer when the program exits.
#include "../input.h"
#include <stdlib.h>

static char *log_buffer;

int main(void) {
  log_buffer = malloc(16); // violated(WRONG): leak/not-freed
  if (!log_buffer) return 1;
  log_buffer[0] = __VERIFIER_nondet_char();
#ifndef WRONG
  free(log_buffer);
  log_buffer = NULL;
#endif
  return 0;
}
