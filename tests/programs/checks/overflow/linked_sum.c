// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2147483647 1
//
// The weights of a list are added.
#include "../input.h"

struct node {
  int weight;
  struct node *next;
};

static int weight(const struct node *n) {
  int sum = 0;
  for (; n; n = n->next) sum += n->weight; // violated(WRONG): overflow/overflow
  return sum;
}

int main(void) {
#ifdef WRONG
  struct node b = {__VERIFIER_nondet_int(), 0}, a = {__VERIFIER_nondet_int(), &b};
#else
  struct node b = {__VERIFIER_nondet_short(), 0}, a = {__VERIFIER_nondet_short(), &b};
#endif
  return weight(&a) == 4;
}
