// expect: unsafe
// options: -- -DFAILS=!
// expect: safe
// options: -- -DFAILS=
//
// A product that is too large for a size.
#include "../attest.h"

int main(void) {
  if (FAILS calloc(1ul << 33, 1ul << 31)) reach_error();
  return 0;
}
