/* math.h where IEEE 754 says exactly what comes out. */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  double v[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 3.49999, 1e15 + 0.5, 1e300, -1e300, 4503599627370497.5, 0.49999999999999994, INFINITY, -INFINITY};
  int n = sizeof v / sizeof *v;
  for (int i = 0; i < n; i++) {
    double x = v[i];
    float f = (float)x;
    printf("%g: %g %g %g %g %g %g %g\n", x, fabs(x), floor(x), ceil(x), trunc(x), round(x), rint(x), nearbyint(x));
    printf("  %g %g %g %g %g %g\n", fabsf(f), floorf(f), ceilf(f), truncf(f), roundf(f), rintf(f));
    if (x >= 0)
      printf("  %.17g %.9g\n", sqrt(x), sqrtf(f));
    printf("  %g %g %d\n", copysign(3.0, x), copysignf(-2.0f, f), signbit(x) != 0);
    double whole, part = modf(x, &whole);
    float wholef, partf = modff(f, &wholef);
    printf("  %g %g %g %g\n", whole, part, wholef, partf);
  }
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++) {
      double a = v[i], b = v[j];
      printf("%g %g %.17g %g %g\n", fmin(a, b), fmax(a, b), fmod(a, b), fdim(a, b) > 1 ? 1.0 : 0.0, fminf((float)a, (float)b));
    }
  double w[] = {0.0, -0.0, 1, -1, 2, 3, 5, 7.5, -7.5, 9, 0x1p-1074, -0x1p-1073, 3 * 0x1p-1074, 0x1p-1022, 5e-324, 0.1, 1e308, 1.7e308, -1.1e308, INFINITY};
  int m = sizeof w / sizeof *w;
  for (int i = 0; i < m - 1; i++)
    for (int j = 2; j < m; j++) {
      double r = remainder(w[i], w[j]);
      float q = remainderf((float)w[i], 0.75f + (float)(j % 7));
      printf("%.17g %d %.9g\n", r, signbit(r) != 0, isnan(q) ? 0 : q);
    }
  printf("%d %d %d\n", fegetround(), fesetround(FE_TONEAREST), isnan(remainder(1, 0)));
  int by[] = {0, 1, -1, 52, -53, 1000, -1000, 1023, 1024, -1021, -1022, -1023, -1074, -1075, 1100, 2098, 2099, -2098, -2099, 2147483647, -2147483647 - 1};
  for (int i = 0; i < m; i++) {
    int e, f;
    double part = frexp(w[i], &e);
    float partf = frexpf((float)w[i], &f);
    printf("%.17g %d %.9g %d\n", part, e, partf, f);
    for (int j = 0; j < (int)(sizeof by / sizeof *by); j++) {
      errno = 0;
      double scaled = ldexp(w[i] + w[i] / 3, by[j]);
      int failed = errno == ERANGE;
      errno = 0;
      float scaledf = ldexpf((float)(1 + w[i] / 3), by[j] / 7);
      printf("%.17g %d %.9g %d", scaled, failed, scaledf, errno == ERANGE);
      printf(" %.17g %.9g %.17g\n", scalbn(1.1, by[j]), scalbnf(-0.7f, by[j] / 6), scalbln(0x1.8p-1070, by[j]));
    }
  }
  printf("%ld %ld %lld %lld\n", lroundf(2.5f), lrintf(2.5f), llroundf(-3.5f), llrintf(-3.5f));
  printf("%g %g %g\n", fmin(NAN, 1), fmax(2, NAN), fmodf(7.5f, -2.0f));
  printf("%ld %ld %lld %ld\n", lround(2.5), lround(-2.5), llround(1e15 + 0.5), lrint(2.5));
  printf("%.10f %.10f\n", sqrt(2.0), sqrt(sqrt(3.0)) * fabs(-7.25));
  return 0;
}
