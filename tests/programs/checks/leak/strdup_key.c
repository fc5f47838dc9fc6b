// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 7 7
//
// The copy of a key is lost when the key is there already.
#include "../input.h"
#include <stdlib.h>
#include <string.h>

struct entry {
  char *key;
  int used;
};
static struct entry entry;

static void put(const char *key) {
  char *copy = strdup(key); // violated(WRONG): leak/unreachable-memory
  if (!copy) exit(1);
  if (entry.used) {
#ifndef WRONG
    free(copy);
#endif
    return;
  }
  entry.key = copy;
  entry.used = 1;
}

int main(void) {
  if (__VERIFIER_nondet_int() == 7) put("a");
  if (__VERIFIER_nondet_int() == 7) put("a");
  if (entry.used) free(entry.key);
  entry.key = NULL;
  return 0;
}
