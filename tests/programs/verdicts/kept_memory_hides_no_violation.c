// expect: false(valid-deref)
// options: --property valid-memsafety
// expect: false(valid-memtrack)
// options: --property valid-memsafety -- -DLOST
// expect: unknown(still pointed to)
// options: --property valid-memsafety -- -DRIGHT
//
// The first runs end at an abort where all memory is still pointed to: no leak. The search for
// other violations goes on, and no proof counts.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct reader {
  int state;
  int *table;
};

static void fail(void) {
  abort();
}

int main(void) {
  struct reader *reader = malloc(sizeof *reader);
  reader->table = malloc(3 * sizeof *reader->table);
  reader->state = __VERIFIER_nondet_int();
  if (reader->state != 4711) fail();
  if (__VERIFIER_nondet_int() == 815) {
#ifdef LOST
    reader->table = NULL;
#elif !defined RIGHT
    reader->table[3] = 1;
#endif
  }
  free(reader->table);
  free(reader);
  return 0;
}
