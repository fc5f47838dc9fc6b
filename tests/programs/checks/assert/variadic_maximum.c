// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: -3 -2
//
// The greatest of several numbers.
#include "../input.h"
#include <assert.h>
#include <limits.h>
#include <stdarg.h>

static int greatest(int count, ...) {
  va_list list;
  va_start(list, count);
#ifdef WRONG
  int max = 0;
#else
  int max = INT_MIN;
#endif
  for (int i = 0; i < count; i++) {
    int x = va_arg(list, int);
    if (x > max) max = x;
  }
  va_end(list);
  return max;
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  int m = greatest(2, a, b);
  assert(m == a || m == b); // violated(WRONG): assert/failed
  return 0;
}
