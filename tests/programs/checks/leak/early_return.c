// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 123456789
//
// An early return for one input forgets the buffer.
#include "../input.h"
#include <stdlib.h>

static int work(int x) {
  int *p = malloc(sizeof *p); // violated(WRONG): leak/unreachable-memory
  if (!p) return -1;
  *p = x;
  if (x == 123456789) {
#ifndef WRONG
    free(p);
#endif
    return 1;
  }
  int answer = *p == 7;
  free(p);
  return answer;
}

int main(void) { return work(__VERIFIER_nondet_int()); }
