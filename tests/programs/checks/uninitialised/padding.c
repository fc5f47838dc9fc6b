// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
//
// A comparison of structures with memcmp looks at the padding.
#include "../input.h"
#include <string.h>

struct pair {
  char tag;
  int value;
};

int main(void) {
  struct pair a, b;
#ifndef WRONG
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
#endif
  a.tag = b.tag = 1;
  a.value = b.value = __VERIFIER_nondet_int();
  if (memcmp(&a, &b, sizeof a) == 0) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
