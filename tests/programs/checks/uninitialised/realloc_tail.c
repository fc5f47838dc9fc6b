// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// The new part of an object that has grown is not set.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = calloc(2, 1);
  if (!p) return 1;
  char *q = realloc(p, 8);
  if (!q) return 1;
#ifndef WRONG
  memset(q + 2, 0, 6);
#endif
  int answer = 0;
  if (q[5] == 'x') answer = 1; // violated(WRONG): uninitialised/never-set
  free(q);
  return answer;
}
