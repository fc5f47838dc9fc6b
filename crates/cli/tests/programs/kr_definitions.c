/* Definitions and declarations in the old style. */
#include <stdio.h>

int scale();
double mixed();
long pick();

int sum3(a, b, c)
  int a, b;
  char c;
{
  return a + b * 10 + c * 100;
}

double mixed(x, f, s)
  double x;
  float f;
  short s;
{
  return x * 2 + f + s;
}

int scale(v, n) int *v, n; { int t = 0; while (n-- > 0) t += *v++ * 3; return t; }

long pick(which, a, b) int which; long a, b; { return which ? a : b; }

typedef int (*any)();

static int zero() { return 40; }
static int one(x) int x; { return x + 1; }

int main() {
  int v[4] = {1, 2, 3, 4};
  printf("%d\n", sum3(1, 2, 3));
  printf("%d\n", sum3('a', -5, (char)300));
  printf("%.3f\n", mixed(1.5, 2.25f, (short)7));
  printf("%d\n", scale(v, 4));
  printf("%ld %ld\n", pick(1, 5L, 6L), pick(0, 5L, 6L));
  any table[2];
  table[0] = zero;
  table[1] = one;
  printf("%d %d\n", table[0](), table[1](8));
  return 0;
}
