// expect: safe
// check: assert
//
// Relations under the value of a flag.
#include "../attest.h"

int main(void) {
  int key = __VERIFIER_nondet_int(), seen = 0, c;
  for (c = 0; c < 90000; c++)
    if (c == key) seen = 1;
  if (seen) assert(key < c && c - key <= 90000);
  return 0;
}
