/* Structures whose fields decide how an ABI passes them: floats, mixtures, nesting, many at once. */
#include <stdio.h>

struct f1 { float x; };
struct f2 { float x, y; };
struct f3 { float x, y, z; };
struct f4 { float x, y, z, w; };
struct d1 { double x; };
struct d2 { double x, y; };
struct fi { float x; int i; };
struct di { double x; int i; };
struct id { int i; double x; };
struct cd { char c; float f; double d; };
struct pd { int *p; double d; };
struct ps { const char *s; char c; };
struct nest { struct f2 a; struct { short s; char c; } b; };
struct arr { float v[2][2]; };
union u { int i; float f; };
struct su { union u a, b; };
struct empty_like { int v[0]; int x; };
struct bits { unsigned a : 5; signed b : 11; unsigned c : 16; unsigned long long d : 40; };

static struct f1 g1(struct f1 a) { a.x *= 2; return a; }
static struct f2 g2(struct f2 a) { return (struct f2){a.y, a.x}; }
static struct f3 g3(struct f3 a) { return (struct f3){a.z, a.x, a.y}; }
static struct f4 g4(struct f4 a, struct f1 b) { return (struct f4){a.w, a.z * b.x, a.y, a.x}; }
static struct d1 h1(struct d1 a) { a.x += .5; return a; }
static struct d2 h2(struct d2 a, struct d1 b) { return (struct d2){a.y * b.x, a.x}; }
static struct fi i1(struct fi a) { return (struct fi){(float)a.i, (int)a.x}; }
static struct di i2(struct di a) { return (struct di){a.i, (int)a.x}; }
static struct id i3(struct id a) { return (struct id){(int)a.x, a.i}; }
static struct cd i4(struct cd a) { return (struct cd){(char)(a.c + 1), (float)a.d, a.f}; }
static struct pd p1(struct pd a) { ++*a.p; a.d += *a.p; return a; }
static struct ps p2(struct ps a) { return (struct ps){a.s + 1, *a.s}; }
static struct nest n1(struct nest a) { a.b.s = (short)(a.b.s + a.b.c); a.a.x = a.a.y; return a; }
static struct arr a1(struct arr a) { float t = a.v[0][1]; a.v[0][1] = a.v[1][0]; a.v[1][0] = t; return a; }
static struct su u1(struct su a) { struct su r; r.a.i = a.b.i + 1; r.b.f = a.a.f * 2; return r; }
static struct empty_like e1(struct empty_like a) { a.x++; return a; }
static struct bits b1(struct bits a) { a.a += 7; a.b = -a.b; a.c ^= 0xffff; a.d *= 3; return a; }

static double many(int a, struct d2 b, struct fi c, int d, struct pd e, struct d2 f, struct d2 g, struct f4 h,
                   struct d2 i, int j, struct ps k, struct id l, char m, struct f3 n) {
  return a + b.x * 2 + b.y * 3 + c.x + c.i + d + *e.p + e.d + f.x + f.y + g.x - g.y + h.x + h.w + i.x * i.y + j +
         k.s[0] + k.c + l.i * l.x + m + n.x + n.y * n.z;
}

int main(void) {
  int n = 5;
  struct f2 v2 = g2((struct f2){1, 2});
  struct f3 v3 = g3((struct f3){1, 2, 3});
  struct f4 v4 = g4((struct f4){1, 2, 3, 4}, g1((struct f1){1.25f}));
  printf("%g %g %g %g %g %g %g %g %g\n", v2.x, v2.y, v3.x, v3.y, v3.z, v4.x, v4.y, v4.z, v4.w);
  struct d2 w2 = h2((struct d2){1.5, 2.5}, h1((struct d1){3}));
  struct fi x = i1((struct fi){7.75f, 3});
  struct di y = i2((struct di){8.5, -4});
  struct id z = i3((struct id){9, 10.25});
  struct cd q = i4((struct cd){'a', 1.5f, 2.5});
  printf("%g %g %g %d %g %d %d %g %c %g %g\n", w2.x, w2.y, x.x, x.i, y.x, y.i, z.i, z.x, q.c, q.f, q.d);
  struct pd p = p1((struct pd){&n, 0.5});
  struct ps s = p2(p2((struct ps){"text", 0}));
  struct nest t = n1((struct nest){{1, 2}, {300, 'x'}});
  struct arr a = a1((struct arr){{{1, 2}, {3, 4}}});
  struct su u = u1((struct su){{.f = 2.5f}, {.i = 41}});
  struct empty_like e = e1((struct empty_like){.x = 6});
  struct bits b = b1((struct bits){30, 1000, 0x1234, 1ull << 37});
  printf("%d %g %s %c %g %d %g %g %d %g %d\n", n, p.d, s.s, s.c, t.a.x, t.b.s, a.v[0][1], a.v[1][0], u.a.i, u.b.f, e.x);
  printf("%u %d %u %llu\n", b.a, b.b, b.c, (unsigned long long)b.d);
  printf("%.4f\n", many(1, w2, x, 2, p, w2, (struct d2){1, 2}, v4, w2, 3, s, z, 'm', v3));
  return 0;
}
