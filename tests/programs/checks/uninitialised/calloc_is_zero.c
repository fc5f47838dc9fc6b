// expect: safe(nothing to check)
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// calloc sets its memory and malloc does not.
#include "../input.h"
#include <stdlib.h>

int main(void) {
#ifdef WRONG
  unsigned char *p = malloc(8);
#else
  unsigned char *p = calloc(8, 1);
#endif
  if (!p) return 1;
  p[0] = __VERIFIER_nondet_uchar();
  int answer = 0;
  if (p[7]) answer = 2; // violated(WRONG): uninitialised/never-set
  free(p);
  return answer;
}
