// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 3
//
// The length of a list after a push.
#include "../input.h"
#include <assert.h>

struct node {
  struct node *next;
  int value;
};

static int length(const struct node *n) {
  int count = 0;
#ifdef WRONG
  for (; n && n->value != 3; n = n->next) count++;
#else
  for (; n; n = n->next) count++;
#endif
  return count;
}

int main(void) {
  struct node a = {0, 1}, b = {&a, __VERIFIER_nondet_int()}, c = {&b, 2};
  assert(length(&c) == 3); // violated(WRONG): assert/failed
  return 0;
}
