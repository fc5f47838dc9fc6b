/* expected: safe
 *
 * A list on the heap of as many numbers as the environment asks for. What was
 * added to the sum on the way in comes out again.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  unsigned value;
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  unsigned in = 0, out = 0;
  int length = __VERIFIER_nondet_int();
  for (int i = 0; i < length; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n)
      break;
    n->value = (unsigned)__VERIFIER_nondet_int();
    n->next = head;
    head = n;
    in += n->value;
  }
  while (head) {
    struct node *n = head;
    head = n->next;
    out += n->value;
    free(n);
  }
  printf("sum %u\n", out);
  assert(in == out);
  return 0;
}
