// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 2 3
//
// A file is closed and its buffer is asked for again after an odd sequence of commands.
#include "../input.h"
#include <stdlib.h>

struct file {
  char *buffer;
};

int main(void) {
  struct file f = {0};
  for (int i = 0; i < 3; i++) {
    int command = __VERIFIER_nondet_int();
    if (command == 1 && !f.buffer) {
      f.buffer = calloc(1, 8);
      if (!f.buffer) return 1;
    } else if (command == 2 && f.buffer) {
      free(f.buffer); // violated(WRONG): memory/bad-free
#ifndef WRONG
      f.buffer = 0;
#else
      if (i == 0) f.buffer = 0;
#endif
    } else if (command == 3 && f.buffer) {
      f.buffer[7]++; // violated(WRONG): memory/use-after-free
    }
#ifdef WRONG
    else if (command == 2 || command == 1) return 0;
#endif
  }
#ifdef WRONG
  if (0)
#endif
  free(f.buffer);
  return 0;
}
