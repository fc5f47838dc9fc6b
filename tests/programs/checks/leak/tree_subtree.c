// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
//
// The right subtree of a tree is not freed.
#include "../input.h"
#include <stdlib.h>

struct tree {
  struct tree *left, *right;
};

static struct tree *make(struct tree *left, struct tree *right) {
  struct tree *t = malloc(sizeof *t); // violated(WRONG): leak/unreachable-memory
  if (!t) exit(1);
  t->left = left;
  t->right = right;
  return t;
}

static void drop(struct tree *t) {
  if (!t) return;
  drop(t->left);
#ifndef WRONG
  drop(t->right);
#endif
  free(t);
}

int main(void) {
  struct tree *t = make(NULL, __VERIFIER_nondet_bool() ? make(NULL, NULL) : NULL);
  drop(t);
  return 0;
}
