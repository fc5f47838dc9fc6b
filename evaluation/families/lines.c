/* expected: safe
 *
 * N blocks of ten lines of code that have nothing to do with what is checked.
 */
#include "repeat.h"

int main(void) {
  int held = 1, a = __VERIFIER_nondet_int(), b = 0, c = 0;
#define BLOCK(I)            \
  a = a + I;                \
  b = a ^ c;                \
  if (b > a)                \
    c = b - a;              \
  else                      \
    c = c + 1;              \
  b = b + c;                \
  a = b & 255;              \
  while (c > 100)           \
    c = c - 50;
  REPEAT(BLOCK)
  if (held != 1)
    reach_error();
  return a + b + c;
}
