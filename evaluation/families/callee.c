/* expected: safe
 *
 * One procedure, called N times: one summary serves all calls (SMASH, figure 1).
 */
#include "repeat.h"

static int distance(int a) {
  int far = 0;
  if (a < -1000 || a > 1000)
    return 7;
  while (a != 0) {
    if (a > 0)
      a = a - 1;
    else
      a = a + 1;
    far = far + 1;
    if (far > 2000)
      far = 2000;
  }
  return far;
}

int main(void) {
  int negative = 0;
#define CALL(I)                                 \
  if (distance(__VERIFIER_nondet_int()) < 0)    \
    negative = 1;
  REPEAT(CALL)
  if (negative)
    reach_error();
  return 0;
}
