/* Float and double: arithmetic, comparisons, conversions, special values, printing. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static volatile double zero = 0.0;

static void relations(double a, double b) {
  printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
  printf("%d%d%d%d%d\n", !(a < b), isgreater(a, b) != 0, isless(a, b) != 0, isunordered(a, b) != 0,
         islessgreater(a, b) != 0);
}
static double root(double x) {
  double r = x;
  for (int i = 0; i < 30; i++)
    r = (r + x / r) / 2;
  return r;
}
static double series(int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += (i & 1 ? -1.0 : 1.0) / (2 * i + 1);
  return 4 * s;
}

int main(void) {
  double inf = 1 / zero, nan = zero / zero;
  double v[] = {0.0, -0.0, 1.0, -1.5, 1e308, 5e-324, inf, -inf, nan};
  int n = sizeof v / sizeof *v;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      relations(v[i], v[j]);
  for (int i = 0; i < n; i++) {
    double x = v[i];
    printf("%d %d %d %d %d %d\n", isnan(x) != 0, isinf(x) != 0, isfinite(x) != 0, isnormal(x) != 0,
           fpclassify(x), isnan(x) ? 0 : signbit(x) != 0);
  }
  printf("%f %f %f %e %g\n", 1.0 / 3, -2.0 / 3, 1e10 / 7, 1e-10 / 7, 1e100 / 7);
  printf("%.10f %.10f\n", root(2), series(200));
  printf("%.0f %.1f %.2f %.3f %5.1f|%-9.2f|%09.3f|%+.2f|% .2f\n", 2.5, 0.25, 1.005, 2.0005, 9.96, 3.14159, -3.14159, 2.0, 2.0);
  printf("%e %.0e %.3e %E %12.4e|\n", 12345.678, 12345.678, 0.00012345, 1e-5, -9.87654e99);
  printf("%g %g %g %g %g %g %g %.3g %.10g %#g %G\n", 0.0001, 0.00001, 100000.0, 1000000.0, 123456789.0, 0.5, 100.0, 12345.0, 1.0 / 3, 1.5, 1e-20);
  printf("%f %g %e %F\n", inf, -inf, inf, -inf);
  printf("%f %g %.3f %5.0f|%-8g|\n", -0.0, -0.0, 0.0, 0.5, 1e15);
  printf("%.20f %.17g %.1f\n", 0.1, 0.1, 1e22);
  printf("%.3f %.3f\n", DBL_MAX / 1e300, (double)FLT_MIN * 1e38);

  float f = 16777216.0f;
  printf("%d %.1f %.9g\n", f + 1.0f == f, (double)(f + 2.0f), (double)0.1f);
  float sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += 0.1f;
  double dsum = 0;
  for (int i = 0; i < 1000; i++)
    dsum += 0.1;
  printf("%.6f %.15f\n", (double)sum, dsum);
  printf("%d %d %u %ld %lld %llu\n", (int)-2.9, (int)2.9f, (unsigned)4e9, (long)1e9, (long long)-1e18, (unsigned long long)1.8e19);
  printf("%d %d %d\n", (signed char)-128.9, (unsigned char)255.9, (short)1e4f);
  printf("%.1f %.1f %.1f %.1f\n", (double)-7, (double)4294967295u, (double)18446744073709551615ull, (double)(float)123456789);
  printf("%.1f %.1f\n", (double)(float)9007199254740993ll, (double)9007199254740993ll);
  printf("%d %d %d\n", nan == nan, nan != nan, !!nan);
  printf("%g %g %g %g\n", 1 / inf, inf - 1, -inf * 2, 0 * -1.0);
  double x = 10;
  x += 1, x -= 0.5, x *= 3, x /= 7;
  x++;
  --x;
  printf("%.12f %d %d\n", -x, x ? 1 : 0, !x);
  printf("%.12f %d\n", x > 4 ? x : -x, (x < 5) + (x >= 4.5) * 2);
  return 0;
}
