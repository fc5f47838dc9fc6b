/* expected: safe
 *
 * N locks: each turn of an endless loop takes some of them and gives the same ones
 * back, in the other order or not (thesis, table 5.1, locks).
 */
#include "repeat.h"

int main(void) {
#define DECLARE(I) int wanted##I, lock##I = 0;
#define ASK(I) wanted##I = __VERIFIER_nondet_int();
#define TAKE(I)    \
  if (wanted##I) { \
    lock##I = 1;   \
  }
#define GIVE(I)        \
  if (wanted##I) {     \
    if (lock##I != 1)  \
      reach_error();   \
    lock##I = 0;       \
  }
  REPEAT(DECLARE)
  while (1) {
    REPEAT(ASK)
    REPEAT(TAKE)
    REPEAT(GIVE)
  }
}
