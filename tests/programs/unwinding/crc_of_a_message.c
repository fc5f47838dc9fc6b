// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A program without inputs that computes for a while.
#include "../attest.h"
static unsigned table[256];
int main(void) {
  for (unsigned i = 0; i < 256; i++) {
    unsigned c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  unsigned crc = 0xffffffffu;
  for (const char *p = "123456789"; *p; p++) crc = table[(crc ^ (unsigned char)*p) & 255] ^ (crc >> 8);
#ifdef WRONG
  assert(~crc == 0xcbf43927u);
#else
  assert(~crc == 0xcbf43926u);
#endif
  return 0;
}
