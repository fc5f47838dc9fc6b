/* Functions of variable arguments: all scalar kinds, many of them, va_copy, handed on. */
#include <stdarg.h>
#include <stdio.h>

static int sum(int n, ...) {
  va_list args;
  va_start(args, n);
  int total = 0;
  for (int i = 0; i < n; i++)
    total = total * 3 + va_arg(args, int);
  va_end(args);
  return total;
}
static double mixed(const char *kinds, ...) {
  va_list args;
  double total = 0;
  va_start(args, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': total += va_arg(args, int); break;
    case 'u': total += va_arg(args, unsigned); break;
    case 'l': total += (double)va_arg(args, long); break;
    case 'q': total += (double)va_arg(args, long long); break;
    case 'd': total += va_arg(args, double); break;
    case 'p': total += *va_arg(args, int *); break;
    case 's': for (const char *s = va_arg(args, char *); *s; s++) total += *s; break;
    }
  va_end(args);
  return total;
}
static int twice(int n, ...) {
  va_list a, b;
  va_start(a, n);
  int first = va_arg(a, int);
  va_copy(b, a);
  int x = 0, y = 0;
  for (int i = 1; i < n; i++)
    x += va_arg(a, int);
  for (int i = 1; i < n; i++)
    y = y * 2 + va_arg(b, int);
  va_end(a);
  va_end(b);
  return first * 10000 + x * 100 + y;
}
static long handed(int n, va_list args) {
  long total = 0;
  while (n-- > 0)
    total = total * 10 + va_arg(args, long);
  return total;
}
static long hand(int n, ...) {
  va_list args;
  va_start(args, n);
  long a = handed(2, args);
  long b = handed(n - 2, args);
  va_end(args);
  return a * 1000000 + b;
}
static long again(int n, ...) {
  long total = 0;
  for (int round = 0; round < 3; round++) {
    va_list args;
    va_start(args, n);
    total = total * 100 + handed(n, args);
    va_end(args);
  }
  return total;
}
static int none(int n, ...) { return n + 1; }
static float fixed(int a, double b, float c, const char *d, long e, int f, int g, int h, ...) {
  va_list args;
  va_start(args, h);
  double x = va_arg(args, double);
  int y = va_arg(args, int);
  va_end(args);
  return (float)(a + b + c + d[0] + (double)e + f + g + h + x * y);
}
static int pointers(int n, ...) {
  va_list args;
  int total = 0;
  va_start(args, n);
  while (n--) {
    int (*f)(int, ...) = va_arg(args, int (*)(int, ...));
    int *to = va_arg(args, int *);
    *to = f(3, 4, 5, 6);
    total += *to;
  }
  va_end(args);
  return total;
}

int main(void) {
  int seven = 7;
  printf("%d %d\n", sum(3, 1, 2, 3), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  printf("%.4f\n", mixed("idlqdpsud", -3, 2.5, 1000000L, 5000000000LL, -0.125, &seven, "az", 4000000000u, 1e-3));
  printf("%.4f\n", mixed("ddddddddddiiiiiiiiii", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  printf("%d\n", twice(4, 5, 6, 7, 8));
  printf("%ld\n", hand(5, 1L, 2L, 3L, 4L, 5L));
  printf("%ld\n", again(2, 4L, 2L));
  printf("%d %d\n", none(3), none(4, 1.5, "x"));
  printf("%.3f\n", fixed(1, 2.5, 3.25f, "A", 5, 6, 7, 8, 1.5, 4));
  int a, b;
  printf("%d\n", pointers(2, sum, &a, none, &b));
  printf("%d %d\n", a, b);
  char c = -3;
  short s = 300;
  float f = 1.75f;
  printf("%d %d %.2f %d\n", c, s, f, sum(2, c, s));
  return 0;
}
