// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2147483647 -1
//
// A comparison of keys by subtraction.
#include "../input.h"

struct record {
  int key, value;
};

static int compare(const struct record *a, const struct record *b) {
#ifdef WRONG
  return a->key - b->key; // violated(WRONG): overflow/overflow
#else
  return (a->key > b->key) - (a->key < b->key);
#endif
}

int main(void) {
  struct record a = {__VERIFIER_nondet_int(), 1}, b = {__VERIFIER_nondet_int(), 2};
  return compare(&a, &b) < 0;
}
