// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// Only a pointer into the object is kept, and what is freed is found from it.
#include "../input.h"
#include <stdlib.h>

int main(void) {
  char *whole = malloc(16); // violated(WRONG): leak/unreachable-memory
  if (!whole) return 1;
  unsigned n = __VERIFIER_nondet_uint() % 8;
  char *part = whole + n;
  *part = 1;
  whole = NULL;
#ifndef WRONG
  free(part - n);
#else
  part = NULL;
#endif
  return part == whole;
}
