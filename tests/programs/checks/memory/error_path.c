// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: -5
//
// An error path frees what the common exit frees too.
#include "../input.h"
#include <stdlib.h>

static int work(int x) {
  int status = -1;
  char *buffer = malloc(16);
  if (!buffer) return -1;
  if (x == -5) {
#ifdef WRONG
    free(buffer);
#endif
    goto out;
  }
  buffer[0] = (char)x;
  status = buffer[0];
out:
  free(buffer); // violated(WRONG): memory/bad-free
  return status;
}

int main(void) { return work(__VERIFIER_nondet_int()) == 3; }
