/* Numeric code: Gauss elimination, FFT by hand-made sines, Newton, Simpson, a random walk, in double and float. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static double my_sin(double x) {
  double term = x, sum = x;
  for (int n = 1; n < 20; n++) {
    term *= -x * x / ((2 * n) * (2 * n + 1));
    sum += term;
  }
  return sum;
}
static double my_exp(double x) {
  double sum = 1, term = 1;
  for (int n = 1; n < 40; n++)
    sum += term *= x / n;
  return sum;
}
static double simpson(double (*f)(double), double a, double b, int n) {
  double h = (b - a) / n, s = f(a) + f(b);
  for (int i = 1; i < n; i++)
    s += f(a + i * h) * (i % 2 ? 4 : 2);
  return s * h / 3;
}
static int solve(int n, double a[n][n + 1]) {
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(a[r][c]) > fabs(a[best][c]))
        best = r;
    if (a[best][c] == 0)
      return 0;
    for (int k = 0; k <= n; k++) {
      double t = a[c][k];
      a[c][k] = a[best][k];
      a[best][k] = t;
    }
    for (int r = 0; r < n; r++) {
      if (r == c)
        continue;
      double m = a[r][c] / a[c][c];
      for (int k = c; k <= n; k++)
        a[r][k] -= m * a[c][k];
    }
  }
  return 1;
}
static float mandelbrot(float cx, float cy) {
  float x = 0, y = 0;
  int n = 0;
  for (; n < 50 && x * x + y * y < 4; n++) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  return (float)n + x * y;
}
struct stats { double mean, spread; float least, most; };
static struct stats measure(const float *v, int n) {
  struct stats s = {0, 0, v[0], v[0]};
  for (int i = 0; i < n; i++) {
    double old = s.mean;
    s.mean += (v[i] - s.mean) / (i + 1);
    s.spread += (v[i] - old) * (v[i] - s.mean);
    s.least = v[i] < s.least ? v[i] : s.least;
    s.most = v[i] > s.most ? v[i] : s.most;
  }
  return s;
}

int main(void) {
  printf("%.15f %.15f %.15f\n", my_sin(1), my_exp(1), my_sin(3.14159265358979));
  printf("%.15f %.15f\n", simpson(my_sin, 0, 3.14159265358979, 50), simpson(my_exp, -1, 1, 20));
  double a[4][5];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      a[i][j] = 1.0 / (i + j + 1) + (i == j);
  printf("%d", solve(4, a));
  for (int i = 0; i < 4; i++)
    printf(" %.12f", a[i][4] / a[i][i]);
  printf("\n");
  float sum = 0, walk[64];
  for (int y = -4; y < 4; y++)
    for (int x = -6; x < 3; x++)
      sum += mandelbrot((float)x / 3, (float)y / 3);
  printf("%.6f\n", sum);
  unsigned seed = 1;
  float at = 0;
  for (int i = 0; i < 64; i++) {
    seed = seed * 69069 + 1;
    at += (float)(seed >> 8) / (1 << 24) - 0.5f;
    walk[i] = at;
  }
  struct stats s = measure(walk, 64);
  printf("%.10f %.10f %.7f %.7f\n", s.mean, sqrt(s.spread / 64), s.least, s.most);
  double big = 1;
  int steps = 0;
  while (big * 2 > big && big < INFINITY) {
    big *= 2;
    steps++;
  }
  double tiny = 1;
  while (tiny / 2 > 0) {
    tiny /= 2;
    steps++;
  }
  float eps = 1;
  while ((float)(1 + eps / 2) > 1)
    eps /= 2;
  printf("%d %g %.10g\n", steps, tiny, eps);
  return 0;
}
