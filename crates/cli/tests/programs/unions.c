/* Unions: punning between integers, floats and bytes; tagged values; pointers and integers. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union pun { float f; uint32_t u; uint8_t b[4]; int16_t h[2]; };
union dpun { double d; uint64_t u; struct { uint32_t low, high; } w; };
union handle { void *p; uintptr_t n; unsigned char b[sizeof(void *)]; };

struct value {
  enum { INT, REAL, TEXT, PAIR } kind;
  union { long i; double r; const char *t; struct { const struct value *a, *b; } pair; } as;
};
static void show(const struct value *v) {
  switch (v->kind) {
  case INT: printf("%ld", v->as.i); break;
  case REAL: printf("%g", v->as.r); break;
  case TEXT: printf("'%s'", v->as.t); break;
  case PAIR: putchar('('); show(v->as.pair.a); printf(" . "); show(v->as.pair.b); putchar(')'); break;
  }
}
static float fast_inverse_root(float x) {
  union pun p = {x};
  p.u = 0x5f3759df - (p.u >> 1);
  return p.f * (1.5f - 0.5f * x * p.f * p.f);
}

int main(void) {
  float samples[] = {0.0f, -0.0f, 1.0f, -2.5f, 1e-40f, 3.4e38f, 0.1f};
  for (int i = 0; i < 7; i++) {
    union pun p = {samples[i]};
    printf("%08x %d %d %02x%02x\n", p.u, p.h[0], p.h[1], p.b[3], p.b[0]);
  }
  union dpun d = {3.141592653589793};
  printf("%016llx %08x %08x\n", (unsigned long long)d.u, d.w.high, d.w.low);
  d.w.high ^= 0x80000000u;
  printf("%.15f\n", d.d);
  d.u += 1;
  printf("%.17g\n", d.d);
  printf("%.5f %.5f\n", fast_inverse_root(4.0f), fast_inverse_root(0.01f));

  int array[4] = {10, 20, 30, 40};
  union handle h = {array + 1};
  union handle g;
  memset(&g, 0, sizeof g);
  for (unsigned i = 0; i < sizeof(void *); i++)
    g.b[i] = h.b[i];
  printf("%d %d\n", *(int *)g.p, g.p == h.p);
  g.n += sizeof(int);
  printf("%d %d\n", *(int *)g.p, (int)(g.n - h.n));

  struct value one = {INT, {.i = 1}}, pi = {REAL, {.r = 3.25}}, hi = {TEXT, {.t = "hi"}};
  struct value p = {PAIR, {.pair = {&one, &pi}}}, q = {PAIR, {.pair = {&p, &hi}}};
  struct value copy = q;
  show(&copy);
  putchar('\n');
  copy.kind = INT;
  copy.as.i = -9;
  show(&copy);
  printf("\n%d\n", (int)sizeof(union pun));
  return 0;
}
