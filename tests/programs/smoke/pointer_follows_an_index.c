// expect: safe
//
// An index and a pointer that move together, in numbers of different widths.
#include "../attest.h"

int main(void) {
  int a[64], *p = a, i;
  for (i = 0; i < 64; i++) {
    *p = i;
    p++;
  }
  assert(p - a == i);
  return 0;
}
