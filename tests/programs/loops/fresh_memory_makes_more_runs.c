// expect: unsafe
// expect: unsafe
// options: -- -DLOOP
//
// What the environment left in memory is no input, but the run is not the only one.
#include "../attest.h"

int main(void) {
#ifdef LOOP
  int *p = malloc(2 * sizeof *p);
  p[0] = p[1];
  for (int i = 0; i < 3; i++) p[0] &= 7;
  assert(p[0] != 5);
#else
  int *p = malloc(sizeof *p);
  assert(*p != 7);
#endif
  return 0;
}
