// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 1 2
//
// A session is opened twice by an odd sequence of commands.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  char *session = NULL;
  for (int i = 0; i < 3; i++) {
    int command = __VERIFIER_nondet_int();
    if (command == 1) {
#ifndef WRONG
      if (session) continue;
#endif
      session = malloc(4); // violated(WRONG): leak/unreachable-memory
    } else if (command == 2) {
      free(session);
      session = NULL;
    }
  }
  free(session);
  return 0;
}
