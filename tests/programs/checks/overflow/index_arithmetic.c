// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 60000 60000
//
// The offset of a pixel in a picture.
#include "../input.h"

struct picture {
  int width, height;
};

static int offset(const struct picture *p, int x, int y) {
  return y * p->width + x; // violated(WRONG): overflow/overflow
}

int main(void) {
  struct picture p;
  p.width = __VERIFIER_nondet_int();
  p.height = __VERIFIER_nondet_int();
#ifdef WRONG
  if (p.width <= 1 || p.height <= 1 || p.width > 60000 || p.height > 60000) return 0;
#else
  if (p.width <= 1 || p.height <= 1 || p.width > 30000 || p.height > 30000) return 0;
#endif
  return offset(&p, p.width - 1, p.height - 1) == 80;
}
