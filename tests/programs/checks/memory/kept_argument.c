// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
//
// A registered callback's data is a local of a function that has returned.
#include "../input.h"

struct handler {
  int (*call)(void *);
  void *data;
};
static struct handler handler;

static int count(void *data) {
  int *n = data;
  return ++*n; // violated(WRONG): memory/use-after-free
}

static void set_up(int *shared) {
  int local = 0;
  handler.call = count;
#ifdef WRONG
  handler.data = &local;
#else
  handler.data = shared;
#endif
  local++;
}

int main(void) {
  int shared = __VERIFIER_nondet_int() & 15;
  set_up(&shared);
  return handler.call(handler.data);
}
