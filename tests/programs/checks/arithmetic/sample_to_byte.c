// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 2.0
//
// A sample is scaled to a byte and may leave its range.
#include "../input.h"

static unsigned char scale(float sample) {
#ifndef WRONG
  if (!(sample >= 0.0f && sample <= 1.0f)) return 0;
#endif
  return (unsigned char)(sample * 255.0f); // violated(WRONG): arithmetic/float-to-int
}

int main(void) { return scale(__VERIFIER_nondet_float()); }
