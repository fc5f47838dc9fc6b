// expect: safe(until memory/null-dereference at )
// check: assert
// says: assumed: pointers from the environment, and those that were never set
//
// What nobody wrote on the heap is a pointer of the environment's.
#include "../attest.h"

struct node {
  int n;
  struct node *next;
};

int main(void) {
  struct node *a = malloc(sizeof *a);
  a->n = 5;
  a->next->n = 6;
  if (a->n != 5) reach_error();
  return 0;
}
