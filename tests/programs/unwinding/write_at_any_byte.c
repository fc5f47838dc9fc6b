// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A number is written at any byte of an array, and read over its edges.
#include "../attest.h"
int main(void) {
  unsigned char bytes[12] = {0};
  unsigned at = __VERIFIER_nondet_uint(), word = 0x04030201, read;
  if (at > 8) return 0;
  memcpy(bytes + at, &word, 4);
  memcpy(&read, bytes + 4, 4);
#ifdef WRONG
  assert(read != 0x00040302);
#endif
  assert(at != 4 || read == word);
  assert(at != 7 || read == 0x01000000);
  assert(at != 8 || read == 0);
  return 0;
}
