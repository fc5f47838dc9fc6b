// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Each iteration makes an object that lives as long as the function.
#include "../attest.h"
int main(void) {
  int *kept[4];
  for (int i = 0; i < 4; i++) {
    kept[i] = __builtin_alloca(sizeof(int));
    *kept[i] = i;
  }
  unsigned i = __VERIFIER_nondet_uint() % 4;
  *kept[i] = 9;
#ifdef WRONG
  assert(*kept[2] != 9);
#endif
  assert(*kept[0] + *kept[1] + *kept[2] + *kept[3] == 15 - (int)i);
  return 0;
}
