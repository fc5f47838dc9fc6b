// expect: unsafe
// violated: memory/out-of-bounds at 15
//
// A run of the first search reads outside an array, behind a sum that no solver turns
// around: what some run did is not assumed away by any engine.
#include "../attest.h"

int port[4];
int last = 4;

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), sum = x;
  int state = 0;
  for (int i = 0; i < 60; i++) sum = (sum ^ sum >> 15) * 2246822519u + i;
  if (sum % 128 == 0) state = port[last];
  if (state != 0) reach_error();
  return 0;
}
