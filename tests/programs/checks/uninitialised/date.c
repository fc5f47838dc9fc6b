// expect: safe
// check: uninitialised
// expect: unsafe
// check: uninitialised
// options: -- -DWRONG
// natively: confirmed
// inputs: 0 1
//
// A date is parsed in parts; the day is missing in the short form.
#include "../input.h"

struct date {
  int year, month, day;
};

static struct date read_date(int with_day) {
  struct date d;
  d.year = 2000 + (__VERIFIER_nondet_uchar() & 31);
  d.month = 1 + (__VERIFIER_nondet_uchar() & 7);
#ifndef WRONG
  d.day = 1;
#endif
  if (with_day) d.day = 1 + (__VERIFIER_nondet_uchar() & 15);
  return d;
}

int main(void) {
  struct date d = read_date(__VERIFIER_nondet_bool());
  if (d.day > 15) return 1; // violated(WRONG): uninitialised/never-set
  return 0;
}
