// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: --check memory -- -DWRONG
// natively: no (the memory is in use again)
//
// A list of variable arguments is used after the function whose arguments they are.
#include "../attest.h"
#include <stdarg.h>
static va_list saved;
static int first(int n, ...) {
  va_start(saved, n);
  return va_arg(saved, int);
}
int main(void) {
  int x = first(2, 5, 6);
  if (__VERIFIER_nondet_uint() * 2654435761u != 12345) return 0;
#ifdef WRONG
  x += va_arg(saved, int);
#endif
  return x - 5;
}
