// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 1
//
// What is in the array is found.
#include "../input.h"
#include <assert.h>

static const int keys[4] = {1, 4, 6, 9};

static int find(int key) {
  int low = 0, high = 4;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (keys[middle] == key) return middle;
    if (keys[middle] < key) low = middle + 1;
#ifdef WRONG
    else high = middle - 1;
#else
    else high = middle;
#endif
  }
  return -1;
}

int main(void) {
  unsigned i = __VERIFIER_nondet_uint() & 3;
  assert(find(keys[i]) == (int)i); // violated(WRONG): assert/failed
  return 0;
}
