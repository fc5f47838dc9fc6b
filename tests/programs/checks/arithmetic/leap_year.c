// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 0
//
// The length of a period of the calendar is a field that may be zero.
#include "../input.h"

struct calendar {
  unsigned char month_days, week;
};

static int week_of(const struct calendar *c, int day) {
  return day / c->week; // violated(WRONG): arithmetic/division
}

int main(void) {
  struct calendar c = {30, 7};
  if (__VERIFIER_nondet_int() == 1) c.week = __VERIFIER_nondet_uchar();
#ifndef WRONG
  if (!c.week) c.week = 7;
#endif
  return week_of(&c, 100);
}
