// expect: safe(until memory/null-dereference at )
// check: assert
// says: assumed: pointers from the environment
//
// Pointers of the environment lead to its own memory.
#include "../attest.h"

struct node {
  int n;
  struct node *next;
};
int flag, *q = &flag;

int main(void) {
  struct node *p = __VERIFIER_nondet_pointer(), *r;
  *q = 1;
  p->n = 3;
  r->n = 4;
  if (flag != 1) reach_error();
  return 0;
}
