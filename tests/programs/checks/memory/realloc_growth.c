// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// A pointer into a vector is used after the vector has grown.
#include "../input.h"
#include <stdlib.h>

struct vector {
  int *items;
  unsigned size, room;
};

static void push(struct vector *v, int x) {
  if (v->size == v->room) {
    unsigned room = v->room ? 2 * v->room : 2;
    int *items = malloc(room * sizeof *items);
    if (!items) exit(1);
    for (unsigned i = 0; i < v->size; i++) items[i] = v->items[i];
    free(v->items);
    v->items = items;
    v->room = room;
  }
  v->items[v->size++] = x;
}

int main(void) {
  struct vector v = {0, 0, 0};
  push(&v, __VERIFIER_nondet_int());
  push(&v, __VERIFIER_nondet_int());
#ifdef WRONG
  int *first = &v.items[0];
#endif
  push(&v, 3);
#ifndef WRONG
  int *first = &v.items[0];
#endif
  int x = *first; // violated(WRONG): memory/use-after-free
  free(v.items);
  return x == 1;
}
