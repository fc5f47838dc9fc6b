// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2000000000
//
// The arguments of a variadic function are added.
#include "../input.h"
#include <stdarg.h>

static int total(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) {
    int x = va_arg(list, int);
#ifndef WRONG
    if (x > 1000000) x = 1000000;
#endif
    sum += x; // violated(WRONG): overflow/overflow
  }
  va_end(list);
  return sum;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0) x = 0;
  return total(3, x, x, x) == 6;
}
