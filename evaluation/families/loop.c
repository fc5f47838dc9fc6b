/* expected: unsafe
 *
 * A loop of N turns before a choice that decides (SYNERGY, figure 1).
 */
#include "repeat.h"

int main(void) {
  int turn = 0, sum = 0, key = __VERIFIER_nondet_int();
  while (turn < N) {
    sum = sum + turn;
    turn = turn + 1;
  }
  if (key == 305419896)
    reach_error();
  return sum;
}
