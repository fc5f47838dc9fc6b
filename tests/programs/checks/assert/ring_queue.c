// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A queue gives back what was put in first.
#include "../input.h"
#include <assert.h>

#define SIZE 2
static int items[SIZE];
static unsigned head, count;

static int put(int x) {
#ifdef WRONG
  if (count > SIZE) return 0;
#else
  if (count == SIZE) return 0;
#endif
  items[(head + count++) % SIZE] = x;
  return 1;
}

static int get(void) {
  int x = items[head];
  head = (head + 1) % SIZE;
  count--;
  return x;
}

int main(void) {
  int first = __VERIFIER_nondet_int();
  put(first);
  put(2);
  put(3);
  assert(get() == first); // violated(WRONG): assert/failed
  return 0;
}
