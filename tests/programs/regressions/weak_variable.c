// expect: unknown
// says: `w`, which is weak
// expect: safe
// options: -- -DDEFINED
//
// A weak symbol that nothing defines is at no address.
#include "../attest.h"

#ifdef DEFINED
int w __attribute__((weak)) = 3;
#else
extern int w __attribute__((weak));
#endif

int main(void) {
  if (!&w) reach_error();
  return 0;
}
