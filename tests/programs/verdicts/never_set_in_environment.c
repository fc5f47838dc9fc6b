// expect: safe(until memory/null-dereference at )
// check: assert
// says: assumed: pointers from the environment, and those that were never set
//
// What nobody wrote in the environment's memory is a pointer of the environment's.
#include "../attest.h"

struct node {
  int n;
  struct node *next;
};
int x;

int main(void) {
  struct node *p = __VERIFIER_nondet_pointer();
  p->next->n = 1;
  if (x) reach_error();
  return 0;
}
