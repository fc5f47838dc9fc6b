// expect: unsafe
//
// The address of an object lies in the environment's memory byte by byte.
#include "../attest.h"

int x;

int main(void) {
  int *o = &x;
  char *p = __VERIFIER_nondet_pointer(), *from = (char *)&o;
  for (int i = 0; i < sizeof o; i++) p[i] = from[i];
  **(int **)p = 1;
  if (x) reach_error();
  return 0;
}
