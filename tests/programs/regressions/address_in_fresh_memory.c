// expect: unsafe
//
// The address of an object lies in memory that nobody wrote before.
#include "../attest.h"

int x;

int main(void) {
  unsigned long *p = malloc(16);
  *p = (unsigned long)&x;
  int *q = *(int **)p;
  *q = 1;
  if (x) reach_error();
  return 0;
}
