// expect: unknown
// says: `f`, which is weak
//
// A weak symbol that nothing defines is at no address.
#include "../attest.h"

extern void f(void) __attribute__((weak));

int main(void) {
  if (!f) reach_error();
  return 0;
}
