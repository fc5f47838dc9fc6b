// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 3
//
// An element is put into a sorted array.
#include "../input.h"
#include <assert.h>

int main(void) {
  int a[4] = {10, 20, 30, 0};
  int x = __VERIFIER_nondet_int(), i = 3;
#ifdef WRONG
  while (i > 1 && a[i - 1] > x) {
#else
  while (i > 0 && a[i - 1] > x) {
#endif
    a[i] = a[i - 1];
    i--;
  }
  a[i] = x;
  assert(a[0] <= a[1] && a[1] <= a[2] && a[2] <= a[3]); // violated(WRONG): assert/failed
  return 0;
}
