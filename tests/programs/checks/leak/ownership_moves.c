// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 1 1
//
// A queue owns what is put in; the rejected item belongs to nobody.
#include "../input.h"
#include <stdlib.h>

static int *queue[2];
static unsigned used;

static int put(int *item) {
  if (used == 2) return 0;
  queue[used++] = item;
  return 1;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    if (!__VERIFIER_nondet_bool()) continue;
    int *item = malloc(sizeof *item); // violated(WRONG): leak/unreachable-memory
    if (!item) break;
    *item = i;
#ifdef WRONG
    put(item);
#else
    if (!put(item)) free(item);
#endif
  }
  while (used) free(queue[--used]);
  queue[0] = queue[1] = NULL;
  return 0;
}
