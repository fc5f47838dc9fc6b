// expect: unsafe
//
// Pointers that were never set may be equal; a native run finds in its memory what the test
// says.
#include "../attest.h"

struct node {
  int n;
  struct node *next;
};
struct pair {
  struct node *a, *b;
};

int main(void) {
  struct pair *p = malloc(sizeof *p);
  p->a->n = 5;
  p->b->n = 6;
  if (p->a->n != 5) reach_error();
  return 0;
}
