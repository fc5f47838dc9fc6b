// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 200 100
//
// A sum that stays in its range.
#include "../input.h"
#include <assert.h>

static unsigned char add(unsigned char a, unsigned char b) {
#ifdef WRONG
  return (unsigned char)(a + b);
#else
  return a + b > 255 ? 255 : (unsigned char)(a + b);
#endif
}

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  assert(add(a, b) >= a); // violated(WRONG): assert/failed
  return 0;
}
