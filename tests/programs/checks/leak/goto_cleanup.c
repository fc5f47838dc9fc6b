// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 5
//
// The error path of the second of two allocations jumps past the first.
#include "../input.h"
#include <stdlib.h>

static int work(int x) {
  int status = -1;
  char *b = NULL;
  char *a = malloc(8); // violated(WRONG): leak/unreachable-memory
  if (!a) goto out;
#ifdef WRONG
  if (x == 5) goto out;
#else
  if (x == 5) goto free_a;
#endif
  b = malloc(8);
  if (!b) goto free_a;
  status = 0;
  free(b);
free_a:
  free(a);
out:
  return status;
}

int main(void) { return work(__VERIFIER_nondet_int()); }
