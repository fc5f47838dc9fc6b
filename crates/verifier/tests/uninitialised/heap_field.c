// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// An initialiser of heap memory forgets a field.
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
struct node { int key; struct node *next; int seen; };
static struct node *make(int key) {
  struct node *n = malloc(sizeof *n);
  if (!n) return n;
  n->key = key;
  n->next = 0;
#ifndef WRONG
  n->seen = 0;
#endif
  return n;
}
int main(void) {
  struct node *n = make(__VERIFIER_nondet_int());
  if (!n) return 0;
  if (n->next) return 3;
  if (n->seen) return 2; // violated
  return 0;
}
