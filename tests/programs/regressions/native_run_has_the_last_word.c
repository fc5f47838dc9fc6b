// expect: unknown
//
// What the machine does counts, where a native run has all that a test has.
#include "../attest.h"

int main(void) {
  _Alignas(128) char a[8];
  if ((size_t)a % 128) reach_error();
  return 0;
}
