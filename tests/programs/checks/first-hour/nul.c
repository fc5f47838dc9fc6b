// expect: unsafe
// options: -- -DASKED
// natively: confirmed
// expect: safe(until)
// check: assert
// options: -- -DUNASKED
//
// Nearly all runs die on a null pointer. Asked for the assertion alone, that is said with the
// verdict.
#include "../input.h"
#include <assert.h>
#include <stddef.h>

static int *find(int k) {
  static int a = 1;
  return k == 3 ? &a : NULL;
}

int main(void) {
  int k = __VERIFIER_nondet_int();
  int *p = find(k);
  *p = 2; // violated(ASKED): memory/null-dereference
  assert(*p == 2);
  return 0;
}
