// expect: safe
//
// An object is aligned in a buffer by arithmetic on the address.
#include "../input.h"
#include <stdint.h>

int main(void) {
  char buffer[16];
  unsigned offset = __VERIFIER_nondet_uint() % 4;
  uintptr_t a = (uintptr_t)(buffer + offset);
  a = (a + 7) & ~(uintptr_t)7;
  char *p = (char *)a;
  if (p >= buffer && p < buffer + 16) *p = 1;
  return 0;
}
