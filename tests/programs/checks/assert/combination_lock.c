// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 17 42 5 99
//
// A door that opens for a sequence of four keys.
#include "../input.h"
#include <assert.h>

int main(void) {
  static const int code[4] = {17, 42, 5, 99};
  int right = 0;
  for (int i = 0; i < 4; i++) {
    int key = __VERIFIER_nondet_int();
    if (key == code[i]) right++;
#ifndef WRONG
    if (i == 3) right = 0;
#endif
  }
  assert(right < 4); // violated(WRONG): assert/failed
  return 0;
}
