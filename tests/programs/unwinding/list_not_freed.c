// expect: safe
// says: all executions unwound
// options: --check leak
// expect: unsafe(interpreted)
// options: --check leak -- -DWRONG
// natively: confirmed
//
// A list of which the first element is lost where it is longest.
#include "../attest.h"
void free(void *);
struct node { struct node *next; };
int main(void) {
  struct node *head = 0;
  unsigned n = __VERIFIER_nondet_uint() % 4;
  for (unsigned i = 0; i < n; i++) {
    struct node *made = malloc(sizeof *made);
    made->next = head;
    head = made;
  }
#ifdef WRONG
  if (n == 3) head = head->next;
#endif
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
