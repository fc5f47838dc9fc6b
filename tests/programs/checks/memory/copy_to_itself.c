// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// Two structures that may be near each other are copied.
#include "../input.h"
#include <string.h>

int main(void) {
  char pool[24] = {0};
  unsigned i = __VERIFIER_nondet_uint() % 3;
#ifdef WRONG
  memcpy(pool + 4 * i, pool, 8); // violated(WRONG): memory/overlapping-copy
#else
  memcpy(pool + 8 + 4 * i, pool, 8);
#endif
  return pool[23];
}
