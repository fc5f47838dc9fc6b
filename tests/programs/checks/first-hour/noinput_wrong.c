// expect: unsafe
//
// The same with a wrong sum.
#include <assert.h>

static unsigned crc(const unsigned char *p, int n) {
  unsigned c = ~0u;
  while (n--) {
    c ^= *p++;
    for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
  }
  return ~c;
}

int main(void) {
  assert(crc((const unsigned char *)"123456789", 9) == 0xcbf43927u); // violated: assert/failed
  return 0;
}
