/* alignas, packed structures, offsets, unaligned access through packed members. */
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) header { uint8_t kind; uint32_t length; uint16_t check; int64_t stamp; double value; };
struct natural { uint8_t kind; uint32_t length; uint16_t check; };
struct over { char c; alignas(32) int big; char d; };
#pragma pack(push, 2)
struct two { char c; int i; char d; double e; };
#pragma pack(pop)
struct __attribute__((packed)) outer { char c; struct natural inner; struct header list[2]; const char *text; };
static alignas(64) char buffer[100];
static struct outer global = {'g', {1, 2, 3}, {{4, 5, 6, 7, 8.5}, {9, 10, 11, 12, 13.5}}, "packed"};
union __attribute__((packed)) mix { char c; uint32_t u; uint16_t h[3]; };

int main(void) {
  printf("%d %d %d %d\n", (int)sizeof(struct header), (int)sizeof(struct natural), (int)offsetof(struct header, stamp), (int)offsetof(struct header, value));
  printf("%d %d %d\n", (int)sizeof(struct over), (int)offsetof(struct over, d), (int)alignof(struct over));
  printf("%d %d %d\n", (int)sizeof(struct two), (int)offsetof(struct two, i), (int)offsetof(struct two, e));
  printf("%d %d\n", (int)offsetof(struct outer, list), (int)sizeof(union mix));
  printf("%d %d\n", (int)((uintptr_t)buffer % 64), (int)alignof(double) > 3);
  struct header h = {1, 0xdeadbeef, 0x1234, -5, 2.5};
  h.length += 0x11111111;
  h.stamp *= 1000000007;
  h.value /= 3;
  unsigned char raw[sizeof h];
  memcpy(raw, &h, sizeof h);
  for (unsigned i = 0; i < sizeof raw; i++)
    printf("%02x", raw[i]);
  printf("\n%u %d %lld %.4f\n", h.length, h.check, (long long)h.stamp, h.value);
  struct header *at = (struct header *)(buffer + 3);
  *at = h;
  at->check++;
  printf("%d %u\n", at->check, ((struct header *)(buffer + 3))->length);
  global.inner.length *= 7;
  global.list[1].stamp <<= 40;
  global.text += 2;
  printf("%c %u %lld %.1f %s\n", global.c, global.inner.length, (long long)global.list[1].stamp, global.list[0].value, global.text);
  struct outer copy = global, many[2] = {global, copy};
  many[1].list[0].kind = 200;
  printf("%s %d %d\n", many[1].text, many[1].list[0].kind, many[0].list[0].kind);
  struct over o = {'c', 77, 'd'};
  struct two t = {'x', -3, 'y', 0.125};
  printf("%d %c %d %g\n", o.big, o.d, t.i, t.e);
  union mix m = {.u = 0x01020304};
  m.h[2] = 5;
  printf("%d %d %d\n", m.c, m.h[0], m.h[1]);
  alignas(16) char local[3] = "ok";
  printf("%s %d\n", local, (int)((uintptr_t)local % 16));
  return 0;
}
