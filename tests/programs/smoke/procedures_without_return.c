// expect: safe
// algorithm: smash
// options: --apart
//
// A callee that never returns needs no summary to say so.
#include "../attest.h"

static void fail(void) { reach_error(); }

static void lock(int *a) {
  if (*a == 1) fail();
  *a = 1;
}

static void unlock(int *b) {
  if (*b != 1) fail();
  *b = 0;
}

int main(void) {
  int m = 0;
  lock(&m);
  unlock(&m);
  return 0;
}
