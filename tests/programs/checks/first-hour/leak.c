// expect: unsafe
// check: leak
// options: -- -DLEAK
// natively: confirmed
// expect: safe
// options: -- -DUNASKED
//
// A leak is a question that can be asked without a rule.
#include <stdlib.h>

int main(void) {
  char *p = malloc(10); // violated(LEAK): leak/unreachable-memory
  p[0] = 1;
  return 0;
}
