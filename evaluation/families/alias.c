/* expected: safe
 *
 * N writes through pointers of which nobody knows where they point, only that it
 * is not to what is checked.
 */
#include "repeat.h"

int main(void) {
  int kept = 7, left = 0, right = 0;
  int *where[2] = {&left, &right};
#define WRITE(I) *where[__VERIFIER_nondet_int() & 1] = I;
  REPEAT(WRITE)
  if (kept != 7)
    reach_error();
  return left + right + *where[0];
}
