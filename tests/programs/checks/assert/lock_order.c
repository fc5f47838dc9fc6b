// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 9
//
// A lock is given back by all paths.
#include "../input.h"
#include <assert.h>

static int locked;

static void lock(void) {
  assert(!locked);
  locked = 1;
}

static void unlock(void) {
  assert(locked);
  locked = 0;
}

static int work(int x) {
  lock();
  if (x == 9) {
#ifndef WRONG
    unlock();
#endif
    return -1;
  }
  unlock();
  return 0;
}

int main(void) {
  work(__VERIFIER_nondet_int());
  assert(!locked); // violated(WRONG): assert/failed
  return 0;
}
