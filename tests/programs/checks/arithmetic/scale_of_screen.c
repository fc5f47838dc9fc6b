// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 0 4
//
// The height of a picture in proportion to its width.
#include "../input.h"

struct size {
  unsigned short width, height;
};

static unsigned height_for(struct size s, unsigned width) {
  return width * s.height / s.width; // violated(WRONG): arithmetic/division
}

int main(void) {
  struct size s;
  s.width = __VERIFIER_nondet_ushort();
  s.height = __VERIFIER_nondet_ushort();
#ifdef WRONG
  if (s.height == 0) return 1;
#else
  if (s.width == 0) return 1;
#endif
  return (int)height_for(s, 640);
}
