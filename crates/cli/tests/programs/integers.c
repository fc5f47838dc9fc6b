/* Promotions, conversions, shifts, division, char signedness, comparison of mixed signs. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static _Bool truth(int n) { return n; }
static int rotate(uint32_t x, int n) { return (int)(x << n | x >> (32 - n)); }

int main(void) {
  signed char sc = -1;
  unsigned char uc = 255;
  char c = (char)200;
  short s = -32768;
  unsigned short us = 65535;
  int i = INT_MIN;
  unsigned u = UINT_MAX;
  long long ll = LLONG_MIN;
  unsigned long long ull = ULLONG_MAX;
  printf("%d %d %d %d %d\n", sc == uc, sc + uc, c < 0, c >> 2, (unsigned char)c >> 2);
  printf("%d %d %d\n", -1 < 1u, s < us, sc < u);
  printf("%d %d\n", -1LL < 1u, (long)-1 < 1u);
  printf("%d %d %d %u\n", us + 1, (unsigned short)(us + 1), (short)us, (unsigned)s);
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
  printf("%u %u %llu\n", u / 3, (unsigned)-7 % 5, ull / 10);
  printf("%lld %lld\n", ll / 3, ll % 1000);
  printf("%d %d %d\n", i >> 31, i >> 4, (int)((unsigned)i >> 4));
  printf("%lld %llu %d\n", ll >> 60, ull >> 60, 1 << 30);
  printf("%d %d %d\n", ~0, ~uc, !uc);
  printf("%d %u\n", (int)((unsigned)uc << 24) >> 24 == -1, (unsigned)uc << 24);
  printf("%d %d %d\n", truth(256), truth(0), (_Bool)0.3 + (_Bool)&c);
  printf("%d %d\n", (signed char)300, (unsigned char)-2);
  printf("%d %u %lld\n", (int)4294967295u, (unsigned)-5LL, (long long)(int)0x80000000u);
  printf("%d %d\n", rotate(0x80000001u, 4), rotate(0xdeadbeefu, 13));
  uc += 10;
  sc -= 128;
  us *= us;
  s /= -2;
  printf("%d %d %d %d\n", uc, sc, us, s);
  uc <<= 3;
  u >>= 5;
  u ^= 0xff;
  printf("%d %u %d\n", uc, u, (int)(uc++) + 1);
  int8_t a = 100, b = 100;
  int8_t sum = (int8_t)(a + b);
  uint64_t product = (uint64_t)4000000000u * 4000000000u;
  printf("%d %llu %u\n", sum, (unsigned long long)product, 4000000000u * 3u);
  unsigned long long h = 14695981039346656037ull;
  for (int k = 0; k < 64; k++) {
    h ^= (unsigned)k * 2654435761u;
    h *= 1099511628211ull;
    h = h << (k & 63) | h >> (-k & 63);
  }
  printf("%llx\n", h);
  enum { LOW = -2, MIDDLE, HIGH = 7, NEXT } e = NEXT;
  enum big { BIG = 0x80000000u } g = BIG;
  printf("%d %d %d %d\n", e, MIDDLE, e > LOW, g > 0);
  printf("%d %d %d\n", 'a' + 1, '\377', L'x');
  printf("%d %d %d\n", (int)sizeof('a'), (int)sizeof(1ll), (int)sizeof(sc + sc));
  printf("%d %d\n", (5 > 4) > 3, 3 & (2 == 2));
  int x = 5;
  printf("%d %d\n", (x = 3, x + 1), x ? x > 2 ? 10 : 20 : 30);
  return 300 & 0xff;
}
