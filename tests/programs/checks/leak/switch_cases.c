// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 2
//
// One case of a switch breaks before the free.
#include "../input.h"
#include <stdlib.h>

enum kind { TEXT, NUMBER, BINARY };

int main(void) {
  char *p = malloc(3); // violated(WRONG): leak/unreachable-memory
  int answer = 0;
  if (!p) return 1;
  switch (__VERIFIER_nondet_int()) {
  case TEXT:
    answer = 1;
    free(p);
    break;
  case BINARY:
    answer = 2;
#ifndef WRONG
    free(p);
#endif
    break;
  default: free(p);
  }
  return answer;
}
