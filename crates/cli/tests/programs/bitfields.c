/* Bit-fields: signed, unsigned, zero width, packed, crossing units, in unions, promotion. */
#include <stdio.h>
#include <string.h>

struct plain { unsigned a : 1, b : 3; int c : 4; unsigned d : 24; int e : 31; unsigned f : 32; };
struct zero { unsigned a : 5; unsigned : 0; unsigned b : 5; unsigned char c; int : 3; int d : 9; };
struct __attribute__((packed)) tight { unsigned a : 3; unsigned long long b : 50; signed c : 13; unsigned char d; int e : 17; };
struct wide { long long a : 33; unsigned long long b : 31; signed char c : 5; _Bool d : 1; short e : 10; };
enum kind { RED, GREEN, BLUE };
struct with_enum { enum kind k : 3; unsigned rest : 29; };
union view { struct { unsigned low : 4, middle : 8, high : 20; } f; unsigned all; unsigned char bytes[4]; };

static void dump(const void *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    printf("%02x", ((const unsigned char *)p)[i]);
  printf("\n");
}

int main(void) {
  struct plain p;
  memset(&p, 0, sizeof p);
  p.a = 3;
  p.b = 13;
  p.c = 9;
  p.d = 0xabcdef12;
  p.e = -5;
  p.f = 4000000000u;
  printf("%u %u %d %u %d %u\n", p.a, p.b, p.c, p.d, p.e, p.f);
  dump(&p, sizeof p);
  printf("%d %d %d\n", p.c++, ++p.c, p.c -= 20);
  printf("%u %u %d\n", p.b--, p.b ^= 5, (p.d <<= 4) == 0xdef120);
  printf("%d %d\n", p.b - 7 < 0, p.f - 4000000001u > 0);

  struct zero z;
  memset(&z, 0, sizeof z);
  z.a = 33;
  z.b = 30;
  z.c = 200;
  z.d = -256;
  printf("%u %u %u %d %d\n", z.a, z.b, z.c, z.d, (int)sizeof z);
  dump(&z, sizeof z);

  struct tight t;
  memset(&t, 0, sizeof t);
  t.a = 5;
  t.b = 0x3123456789abcull;
  t.c = -1234;
  t.d = 77;
  t.e = -65536;
  printf("%u %llx %d %u %d %d\n", t.a, (unsigned long long)t.b, t.c, t.d, t.e, (int)sizeof t);
  dump(&t, sizeof t);
  for (int i = 0; i < 60; i++) {
    t.b = t.b * 3 + 1;
    t.c = t.c * 5 - 1;
    t.a++;
    t.e ^= t.c;
  }
  dump(&t, sizeof t);

  struct wide w;
  memset(&w, 0, sizeof w);
  w.a = -1;
  w.b = 0x7fffffff;
  w.c = 17;
  w.d = 2;
  w.e = 511;
  w.e++;
  printf("%lld %llu %d %d %d\n", (long long)w.a, (unsigned long long)w.b, w.c, w.d, w.e);
  w.a *= 1ll << 31;
  printf("%lld %d\n", (long long)w.a, (int)(w.a >> 31));

  struct with_enum k = {BLUE, 12345};
  k.k = k.k == BLUE ? GREEN : RED;
  printf("%d %u\n", k.k, k.rest);
  union view v = {.all = 0x12345678};
  v.f.middle += 0xf0;
  printf("%x %x %x %x %02x\n", v.f.low, v.f.middle, v.f.high, v.all, v.bytes[1]);
  struct plain list[3] = {{1, 2, 3, 4, 5, 6}, {.d = 99, .e = -99}, {.c = -8}};
  unsigned sum = 0;
  for (int i = 0; i < 3; i++)
    sum = sum * 17 + list[i].a + list[i].b + (unsigned)list[i].c + list[i].d + (unsigned)list[i].e + list[i].f;
  printf("%u\n", sum);
  return 0;
}
