// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 1
//
// Fewer bytes came than the message's head has.
#include "../input.h"

static unsigned receive(unsigned char *to, unsigned room) {
  unsigned n = __VERIFIER_nondet_uint() % (room + 1);
  for (unsigned i = 0; i < n; i++) to[i] = __VERIFIER_nondet_uchar();
  return n;
}

int main(void) {
  unsigned char head[3];
  unsigned n = receive(head, 3);
#ifdef WRONG
  if (n == 0) return 0;
#else
  if (n < 3) return 0;
#endif
  if (head[2] == 0x7f) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
