// expect: safe
// budget: 30
//
// A program without inputs whose run ends at once.
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
  unsigned char b[256];
  for (int i = 0; i < 256; i++) b[i] = (unsigned char)i;
  assert(crc(b, 256) == 0x29058c73u);
  assert(crc((const unsigned char *)"123456789", 9) == 0xcbf43926u);
  return 0;
}
