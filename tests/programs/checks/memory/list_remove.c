// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// The node that a loop goes on from was freed before.
#include "../input.h"
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->value = __VERIFIER_nondet_int();
    n->next = list;
    list = n;
  }
#ifdef WRONG
  for (struct node *n = list; n; n = n->next) { // violated(WRONG): memory/use-after-free
    free(n);
  }
#else
  for (struct node *n = list, *next; n; n = next) {
    next = n->next;
    free(n);
  }
#endif
  return 0;
}
