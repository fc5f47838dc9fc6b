// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 1 1 1 7
//
// A state machine that must not go from red to yellow.
#include "../input.h"
#include <assert.h>

enum light { RED, GREEN, YELLOW };

static enum light next(enum light now, int event) {
  switch (now) {
  case RED:
#ifdef WRONG
    return event == 7 ? YELLOW : GREEN;
#else
    return GREEN;
#endif
  case GREEN: return YELLOW;
  case YELLOW: return RED;
  }
  return RED;
}

int main(void) {
  enum light light = RED;
  for (int i = 0; i < 4; i++) {
    enum light before = light;
    int event = __VERIFIER_nondet_int();
    if (event == 0) break;
    light = next(light, event);
    assert(!(before == RED && light == YELLOW)); // violated(WRONG): assert/failed
  }
  return 0;
}
