// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 4096 7
//
// The number of buckets is read from a header.
#include "../input.h"

int main(void) {
  unsigned header = __VERIFIER_nondet_uint();
  unsigned buckets = header & 0xfff;
#ifndef WRONG
  if (!buckets) buckets = 1;
#endif
  unsigned hash = __VERIFIER_nondet_uint();
  return (int)(hash % buckets); // violated(WRONG): arithmetic/division
}
