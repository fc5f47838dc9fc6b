// expect: safe
//
// What calloc gives is zero.
#include "../attest.h"

int main(void) {
  int *p = calloc(3, sizeof(int));
  if (p[2]) reach_error();
  return 0;
}
