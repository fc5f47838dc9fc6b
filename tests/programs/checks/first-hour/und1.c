// expect: safe
// check: assert
// expect: unsafe
// check: uninitialised
// options: -- -DSET
// natively: confirmed
//
// Assumptions on members that were never set: what holds of them still holds later.
#include <assert.h>

struct list {
  unsigned long a, b;
};

int main(void) {
  struct list l;
  if (!(l.a > 5 && l.b > l.a && l.b < 100)) return 0; // violated(SET): uninitialised/never-set
  assert(l.b > 5);
  return 0;
}
