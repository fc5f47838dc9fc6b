// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 2 28
//
// A date goes to the next day.
#include "../input.h"
#include <assert.h>

struct date {
  int month, day;
};
static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
  struct date d;
  d.month = __VERIFIER_nondet_int();
  d.day = __VERIFIER_nondet_int();
  if (d.month < 1 || d.month > 12 || d.day < 1 || d.day > lengths[d.month - 1]) return 0;
#ifdef WRONG
  if (++d.day > 30 + d.month % 2) {
#else
  if (++d.day > lengths[d.month - 1]) {
#endif
    d.day = 1;
    d.month = d.month % 12 + 1;
  }
  assert(d.day <= lengths[d.month - 1]); // violated(WRONG): assert/failed
  return 0;
}
