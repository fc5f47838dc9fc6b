// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A number is written whole and read by bytes, and the other way round.
#include "../attest.h"
#include <string.h>
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), back = 0, sum = 0;
  unsigned char bytes[4];
  memcpy(bytes, &n, 4);
  for (int i = 0; i < 4; i++) sum += (unsigned)bytes[i] << 8 * i;
  for (int i = 0; i < 4; i++) ((unsigned char *)&back)[i] = bytes[3 - i];
  assert(sum == n);
#ifdef WRONG
  assert((back & 255) != 77 || (n & 255) != 78);
#else
  assert((back & 255) == n >> 24);
#endif
  return 0;
}
