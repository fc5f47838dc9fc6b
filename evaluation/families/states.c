/* expected: safe
 *
 * A machine of N states in a loop; only the last of them opens, and only an open
 * one may be used.
 */
#include "repeat.h"

int main(void) {
  int state = 0, open = 0;
  while (1) {
    int ask = __VERIFIER_nondet_int();
#define STEP(I)               \
  else if (state == I) {      \
    if (ask) {                \
      state = I + 1;          \
      open = state == N;      \
    }                         \
  }
    if (ask == 1000) {
      state = 0;
      open = 0;
    }
    REPEAT(STEP)
    else {
      if (!open)
        reach_error();
      state = 0;
      open = 0;
    }
  }
}
