// expect: unsafe
//
// The address of an object lies in fresh memory, byte by byte.
#include "../attest.h"

int x;

int main(void) {
  int *o = &x, **p = malloc(16);
  char *to = (char *)p, *from = (char *)&o;
  for (int i = 0; i < sizeof o; i++) to[i] = from[i];
  **p = 1;
  if (x) reach_error();
  return 0;
}
