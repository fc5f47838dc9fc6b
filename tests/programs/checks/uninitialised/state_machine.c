// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 2 2 2
//
// The value that a command takes over is there only after another command.
#include "../input.h"

int main(void) {
  int saved, have = 0;
  for (int i = 0; i < 3; i++) {
    int command = __VERIFIER_nondet_int();
    if (command == 1) {
      saved = i;
      have = 1;
    } else if (command == 2) {
#ifndef WRONG
      if (!have) continue;
#endif
      if (saved > 1) return 1; // violated(WRONG): uninitialised/never-set
    }
  }
  return have;
}
