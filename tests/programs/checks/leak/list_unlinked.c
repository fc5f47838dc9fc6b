// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 3
//
// A node is unlinked and not freed.
#include "../input.h"
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *a = malloc(sizeof *a);
  struct node *b = malloc(sizeof *b); // violated(WRONG): leak/unreachable-memory
  if (!a || !b) exit(1);
  a->next = b;
  a->value = 1;
  b->next = NULL;
  b->value = __VERIFIER_nondet_int();
  if (b->value == 3) {
    a->next = b->next;
#ifndef WRONG
    free(b);
#endif
  }
  while (a) {
    struct node *next = a->next;
    free(a);
    a = next;
  }
  return 0;
}
