// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// A field of an object on the heap is not set by its constructor.
#include "../input.h"
#include <stdlib.h>

struct point {
  int x, y;
};

static struct point *make(int x) {
  struct point *p = malloc(sizeof *p);
  if (!p) exit(1);
  p->x = x;
#ifndef WRONG
  p->y = 0;
#endif
  return p;
}

int main(void) {
  struct point *p = make(__VERIFIER_nondet_int());
  int answer = 0;
  if (p->y > 5) answer = 1; // violated(WRONG): uninitialised/never-set
  free(p);
  return answer;
}
