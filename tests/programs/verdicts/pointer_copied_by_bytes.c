// expect: unsafe
//
// A pointer that is copied byte by byte is still the pointer.
#include "../attest.h"

int x;

int main(void) {
  int *p = &x, *q;
  char *from = (char *)&p, *to = (char *)&q;
  for (int i = 0; i < sizeof p; i++) to[i] = from[i];
  *q = 1;
  if (x) reach_error();
  return 0;
}
