// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 4
//
// A packet with a flexible array; its size counts the elements, not their bytes.
#include "../input.h"
#include <stdlib.h>

struct packet {
  unsigned count;
  int items[];
};

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 5;
#ifdef WRONG
  struct packet *p = malloc(sizeof *p + n);
#else
  struct packet *p = malloc(sizeof *p + n * sizeof p->items[0]);
#endif
  if (!p) return 1;
  p->count = n;
  for (unsigned i = 0; i < p->count; i++)
    p->items[i] = (int)i; // violated(WRONG): memory/out-of-bounds
  free(p);
  return 0;
}
