// expect: unknown(size 0)
//
// Implementations differ in what it gives.
#include "../attest.h"

int main(void) {
  int *p = malloc(8);
  if (realloc(p, 0)) reach_error();
  return 0;
}
