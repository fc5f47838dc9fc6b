// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// A variadic function writes to the pointers of its arguments up to a count.
#include "../input.h"
#include <stdarg.h>

static void clear(int count, ...) {
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; i++) *va_arg(list, int *) = 0;
  va_end(list);
}

int main(void) {
  int a, b;
#ifdef WRONG
  clear(__VERIFIER_nondet_int() == 1 ? 1 : 2, &a, &b);
#else
  clear(2, &a, &b);
#endif
  if (a || b) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
