// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 1 2 2
//
// What is taken and given back has as many references as before.
#include "../input.h"
#include <assert.h>

int main(void) {
  int references = 1;
  for (int i = 0; i < 3; i++) {
    int what = __VERIFIER_nondet_int();
    if (what == 1) references++;
#ifdef WRONG
    else if (what == 2 && references > 0) references--;
#else
    else if (what == 2 && references > 1) references--;
#endif
  }
  assert(references >= 1); // violated(WRONG): assert/failed
  return 0;
}
