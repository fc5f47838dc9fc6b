// expect: safe
//
// A table that is computed, and one input.
#include "../input.h"
#include <assert.h>

static unsigned tab[256];

int main(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
    tab[i] = c;
  }
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned c = 0xffffffffu;
  c = tab[(c ^ x) & 0xff] ^ (c >> 8);
  assert(c != 0x12345678u);
  return 0;
}
