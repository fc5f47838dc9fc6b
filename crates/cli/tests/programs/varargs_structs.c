/* Structures of many sizes through variable arguments. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct s1 { char c[1]; };
struct s3 { char c[3]; };
struct s8 { int a; short b, c; };
struct s12 { int a, b, c; };
struct s16 { long long a; double b; };
struct s20 { int v[5]; };
struct s24 { double d[3]; };
struct s40 { const char *name; long long v[4]; };
struct f8 { float x, y; };
struct d16 { double x, y; };
struct mix { char tag; double d; int *p; };

static double take(const char *kinds, ...) {
  va_list a;
  double t = 0;
  va_start(a, kinds);
  for (; *kinds; kinds++) {
    switch (*kinds) {
    case '1': { struct s1 s = va_arg(a, struct s1); t += s.c[0]; break; }
    case '3': { struct s3 s = va_arg(a, struct s3); t += s.c[0] + s.c[1] * 2 + s.c[2] * 3; break; }
    case '8': { struct s8 s = va_arg(a, struct s8); t += s.a + s.b * 2 + s.c * 3; break; }
    case 'c': { struct s12 s = va_arg(a, struct s12); t += s.a + s.b * 2 + s.c * 3; break; }
    case 'g': { struct s16 s = va_arg(a, struct s16); t += (double)s.a + s.b; break; }
    case 'k': { struct s20 s = va_arg(a, struct s20); for (int i = 0; i < 5; i++) t += s.v[i] * i; break; }
    case 'o': { struct s24 s = va_arg(a, struct s24); t += s.d[0] + s.d[1] * 2 + s.d[2] * 3; break; }
    case 'z': { struct s40 s = va_arg(a, struct s40); t += (double)s.v[3] + (double)strlen(s.name); break; }
    case 'f': { struct f8 s = va_arg(a, struct f8); t += s.x * 2 + s.y; break; }
    case 'd': { struct d16 s = va_arg(a, struct d16); t += s.x * 2 + s.y; break; }
    case 'm': { struct mix s = va_arg(a, struct mix); t += s.tag + s.d + *s.p; break; }
    case 'i': t += va_arg(a, int); break;
    case 'D': t += va_arg(a, double); break;
    }
    t *= 1.5;
  }
  va_end(a);
  return t;
}

int main(void) {
  int n = 77;
  struct s1 a = {{1}};
  struct s3 b = {{1, 2, 3}};
  struct s8 c = {10, 20, 30};
  struct s12 d = {1, 2, 3};
  struct s16 e = {123456789012LL, 0.5};
  struct s20 f = {{1, 2, 3, 4, 5}};
  struct s24 g = {{1.5, 2.5, 3.5}};
  struct s40 h = {"forty", {1, 2, 3, 4}};
  struct f8 i = {0.5f, 0.25f};
  struct d16 j = {1.25, 2.5};
  struct mix k = {'k', 2.75, &n};
  printf("%.6f\n", take("138c", a, b, c, d));
  printf("%.6f\n", take("gkozi", e, f, g, h, 5));
  printf("%.6f\n", take("fdmi", i, j, k, 9));
  printf("%.6f\n", take("iiiiiig1D3kDc", 1, 2, 3, 4, 5, 6, e, a, 1.5, b, f, 2.5, d));
  printf("%.6f\n", take("ddddddddffmz", j, j, j, j, j, j, j, j, i, i, k, h));
  return 0;
}
