// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 10000000000000000000000.0
//
// A time in seconds is split into its parts, and the largest doubles do not fit.
#include "../input.h"

struct time {
  long seconds;
  int eighths;
};

static struct time split(double t) {
  struct time r;
  r.seconds = (long)t; // violated(WRONG): arithmetic/float-to-int
  r.eighths = (int)(r.seconds % 8);
  return r;
}

int main(void) {
  double t = __VERIFIER_nondet_double();
#ifndef WRONG
  if (!(t >= 0 && t < 1e9)) return 1;
#else
  if (!(t >= 0)) return 1;
#endif
  return split(t).eighths == 5;
}
