/* Pointer arithmetic, comparison, round trips through integers, byte-wise copies of pointers. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct holder { char tag; int *to; struct holder *self; int (*call)(int); short end; };
static int triple(int x) { return x * 3; }

static void copy_bytes(void *to, const void *from, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
  while (n--)
    *t++ = *f++;
}
static size_t scan(const char *text) { const char *p = text; while (*p++); return (size_t)(p - text - 1); }

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

int main(void) {
  int v[8] = {0, 1, 4, 9, 16, 25, 36, 49};
  int *p = v + 2, *q = &v[7];
  printf("%d %d %d %d\n", (int)(q - p), *(p + 3), p[-1], *--q);
  printf("%d %d %d %d\n", p < q, p > q, p == v + 2, p <= p);
  printf("%d %d\n", (int)((char *)q - (char *)p), (int)scan("pointer"));
  uintptr_t n = (uintptr_t)p;
  int *r = (int *)(n + 3 * sizeof(int));
  printf("%d %d %d\n", *r, r == p + 3, (int)(n % sizeof(int)));
  uintptr_t tagged = (uintptr_t)q | 1;
  printf("%d %d\n", (int)(tagged & 1), *(int *)(tagged & ~(uintptr_t)1));
  uintptr_t x = (uintptr_t)p ^ (uintptr_t)q;
  int *back = (int *)(x ^ (uintptr_t)p);
  printf("%d\n", *back);

  struct holder a = {'a', v + 5, NULL, triple, 7}, b, c;
  a.self = &a;
  memcpy(&b, &a, sizeof a);
  copy_bytes(&c, &b, sizeof b);
  printf("%c %d %c %d %d\n", c.tag, *c.to, c.self->tag, c.call(14), c.end);
  b.to++;
  memmove(&c.to, &b.to, sizeof c.to);
  printf("%d %d\n", *c.to, c.self == &a);
  struct holder pair[3] = {a, b};
  memmove(pair + 1, pair, 2 * sizeof *pair);
  printf("%d %d %d\n", *pair[1].to, *pair[2].to, pair[2].call == triple);
  struct holder *h = container_of(&pair[1].end, struct holder, end);
  printf("%d %c\n", (int)(h - pair), h->tag);
  unsigned char raw[sizeof(int *) + 3];
  memcpy(raw + 3, &p, sizeof p);
  int *unaligned;
  memcpy(&unaligned, raw + 3, sizeof unaligned);
  printf("%d\n", *unaligned);
  unsigned char high = raw[3];
  raw[3] = 0xaa;
  raw[3] = high;
  copy_bytes(&unaligned, raw + 3, sizeof unaligned);
  printf("%d\n", unaligned[1]);
  int **pp = &p, ***ppp = &pp;
  ***ppp = 44;
  *pp += 1;
  **pp = 99;
  printf("%d %d %d\n", v[2], v[3], (int)(*pp - v));
  void *any = v;
  const char *bytes = any;
  printf("%d %d\n", bytes[4], ((short *)any)[4]);
  int *null = 0;
  printf("%d %d %d\n", null == NULL, !null, (int)(uintptr_t)null);
  char text[] = "abcdef", *s = text, *t = text + 5;
  while (s < t) {
    char swap = *s;
    *s++ = *t;
    *t-- = swap;
  }
  printf("%s %s\n", text, &text[2] + 1);
  int matrix[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, (*row)[3] = matrix;
  printf("%d %d %d\n", *(*(row + 1) + 2), (*++row)[0], (int)((char *)&matrix[2] - (char *)row));
  return 0;
}
