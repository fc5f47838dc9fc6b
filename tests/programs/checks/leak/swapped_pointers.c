// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// Two pointers are swapped with one of them lost.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  int *a = malloc(sizeof *a); // violated(WRONG): leak/unreachable-memory
  int *b = malloc(sizeof *b);
  if (__VERIFIER_nondet_int() == 1) {
#ifndef WRONG
    int *old = a;
#endif
    a = b;
#ifndef WRONG
    b = old;
#else
    b = NULL;
#endif
  }
  free(a);
  free(b);
  return 0;
}
