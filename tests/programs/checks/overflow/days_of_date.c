// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 6000000 1 1
//
// The days of a date, for years that are read.
#include "../input.h"

static int days(int year, int month, int day) {
  return year * 365 + year / 4 - year / 100 + (month * 306 + 5) / 10 + day; // violated(WRONG): overflow/overflow
}

int main(void) {
  int year = __VERIFIER_nondet_int(), month = __VERIFIER_nondet_int(), day = __VERIFIER_nondet_int();
#ifndef WRONG
  if (year < 0 || year > 9999) return 1;
#else
  if (year < 0 || year > 9999999) return 1;
#endif
  if (month < 1 || month > 12 || day < 1 || day > 31) return 1;
  return days(year, month, day) == 730000;
}
