/* expected: safe
 *
 * N choices one after the other that do not matter (SYNERGY, figure 8; thesis,
 * figure 5.2).
 */
#include "repeat.h"

int main(void) {
  int held = 1, left = 0, right = 0;
#define CHOOSE(I)               \
  if (__VERIFIER_nondet_int())  \
    left = left + 1;            \
  else                          \
    right = right + 1;
  REPEAT(CHOOSE)
  if (held != 1)
    reach_error();
  return left + right;
}
