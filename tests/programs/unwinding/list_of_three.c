// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// A list on the heap whose length depends on inputs; its nodes are freed.
#include "../attest.h"
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  int length = 0, seen = 0;
  for (int i = 0; i < 3; i++) {
    if (__VERIFIER_nondet_int() == i) continue;
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
    length++;
  }
  while (head) {
    struct node *next = head->next;
    assert(head->value >= 0 && head->value < 3);
    free(head);
#ifdef WRONG
    if (head->value == 1) seen++;
#endif
    head = next;
    seen++;
  }
  assert(seen == length);
  return 0;
}
