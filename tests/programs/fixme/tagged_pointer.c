// expect: unknown
//
// FIXME: safe. The alignment of an object is not known where a number is made of its address.
// The lowest bit of an address is a tag, which is cleared before the access.
#include "../checks/input.h"
#include <stdint.h>

int main(void) {
  long value = 5;
  uintptr_t word = (uintptr_t)&value;
  if (__VERIFIER_nondet_bool()) word |= 1;
  long *p = (long *)(word & ~(uintptr_t)1);
  *p = 6;
  return (int)value;
}
