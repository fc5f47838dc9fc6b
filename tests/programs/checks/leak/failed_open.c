// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: -3
//
// A device is opened in two steps, and the second fails.
#include "../input.h"
#include <stdlib.h>

struct device {
  int *queue;
};

static struct device *open_device(int mode) {
  struct device *d = malloc(sizeof *d); // violated(WRONG): leak/unreachable-memory
  if (!d) return NULL;
  if (mode < 0) {
#ifndef WRONG
    free(d);
#endif
    return NULL;
  }
  d->queue = malloc(4 * sizeof *d->queue);
  if (!d->queue) {
    free(d);
    return NULL;
  }
  return d;
}

int main(void) {
  struct device *d = open_device(__VERIFIER_nondet_int());
  if (!d) return 1;
  free(d->queue);
  free(d);
  return 0;
}
