// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 7
//
// A walk over an array calls back for each element once.
#include "../input.h"
#include <assert.h>

static int calls;
static int visit(int x) {
  calls++;
  return x != 7;
}

static void each(const int *a, int n, int (*f)(int)) {
  for (int i = 0; i < n; i++) {
#ifdef WRONG
    if (!f(a[i])) break;
#else
    f(a[i]);
#endif
  }
}

int main(void) {
  int a[3] = {__VERIFIER_nondet_int(), 2, 3};
  each(a, 3, visit);
  assert(calls == 3); // violated(WRONG): assert/failed
  return 0;
}
