// expect: unsafe
//
// A pointer that went through memory as a number is still the pointer.
#include "../attest.h"

int cell;
unsigned long kept[4];

int main(void) {
  unsigned i = __VERIFIER_nondet_uint() & 3;
  kept[i] = (unsigned long)&cell;
  if (i * 7 != 14) return 0;
  int *p = (int *)kept[2];
  *p = 5;
  if (cell == 5) reach_error();
  return 0;
}
