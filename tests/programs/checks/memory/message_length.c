// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 9 0 0 0 0 0 0 0 0 0 0 0
//
// The length of a message is taken from the message.
#include "../input.h"
#include <string.h>

int main(void) {
  unsigned char message[8], body[7];
  for (int i = 0; i < 8; i++) message[i] = __VERIFIER_nondet_uchar();
  unsigned length = message[0];
#ifndef WRONG
  if (length > 7) return 1;
#endif
  memcpy(body, message + 1, length); // violated(WRONG): memory/out-of-bounds
  return length ? body[0] : 0;
}
