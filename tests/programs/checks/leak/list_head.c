// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 2
//
// A list is freed by its first node.
#include "../input.h"
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n); // violated(WRONG): leak/unreachable-memory
  if (!n) exit(1);
  n->next = list;
  n->value = value;
  return n;
}

int main(void) {
  struct node *list = push(NULL, 1);
  if (__VERIFIER_nondet_int() == 2) list = push(list, 2);
#ifdef WRONG
  free(list);
#else
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
#endif
  return 0;
}
