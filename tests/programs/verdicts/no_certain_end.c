// expect: safe(until memory/null-dereference at )
// check: assert
// options: -- -DREST=2
// expect: safe(until memory/null-dereference at )
// check: assert
// options: -- -DREST=1
//
// A proof takes more as reached than is: code that it finds to end for certain, in a place
// that no test reaches, is no reason to doubt it where the same code gets past elsewhere.
// No square has the rest 2; one that a test reaches has the rest 1.
#include "../attest.h"

struct node {
  int n;
  struct node *next;
};
static struct node a, b;
static struct node *head;

static void push(struct node *n) { head->next = n; }

int main(void) {
  unsigned n = __VERIFIER_nondet_int(), k = n * n;
  while (__VERIFIER_nondet_int()) {
    if (head != 0) reach_error();
    if ((k & 3) == REST) push(&a);
  }
  head = __VERIFIER_nondet_int() ? &b : 0;
  while (__VERIFIER_nondet_int()) k++;
  push(&a);
  return 0;
}
