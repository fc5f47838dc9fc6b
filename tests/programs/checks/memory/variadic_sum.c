// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 3
//
// The count of a variadic function decides how many pointers are followed.
#include "../input.h"
#include <stdarg.h>

static int sum(int count, ...) {
  va_list list;
  int s = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) {
    int *p = va_arg(list, int *);
#ifndef WRONG
    if (!p) break;
#endif
    s += *p; // violated(WRONG): memory/null-dereference
  }
  va_end(list);
  return s;
}

int main(void) {
  int a = 1, b = 2;
  return sum(__VERIFIER_nondet_int() == 3 ? 3 : 2, &a, &b, (int *)0);
}
