// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 50
//
// A search in a tree that forgets an empty subtree.
#include "../input.h"

struct tree {
  int key;
  struct tree *left, *right;
};

static struct tree *find(struct tree *t, int key) {
#ifdef WRONG
  while (t->key != key) // violated(WRONG): memory/null-dereference
#else
  while (t && t->key != key)
#endif
    t = key < t->key ? t->left : t->right;
  return t;
}

int main(void) {
  struct tree a = {3, 0, 0}, b = {9, 0, 0}, root = {5, &a, &b};
  struct tree *t = find(&root, __VERIFIER_nondet_int());
  return t != 0;
}
