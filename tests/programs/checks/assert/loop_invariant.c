// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 2000
//
// A loop without a bound keeps a relation of two counters.
#include "../input.h"
#include <assert.h>

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, twice = 0;
#ifdef WRONG
  if (n > 5000) return 0;
#endif
  while (i < n) {
    i++;
    twice += 2;
#ifdef WRONG
    if (i == 1999) twice++;
#endif
  }
  assert(twice == 2 * i); // violated(WRONG): assert/failed
  return 0;
}
