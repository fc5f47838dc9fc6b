// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 4
//
// The result of a search is null for all keys but one.
#include "../input.h"

struct entry {
  int key, value;
};
static struct entry table[3] = {{1, 10}, {2, 20}, {3, 30}};

static struct entry *find(int key) {
  for (int i = 0; i < 3; i++)
    if (table[i].key == key) return &table[i];
  return 0;
}

int main(void) {
  struct entry *e = find(__VERIFIER_nondet_int());
#ifndef WRONG
  if (!e) return 1;
#endif
  return e->value; // violated(WRONG): memory/null-dereference
}
