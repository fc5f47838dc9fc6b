/* Vector extensions. */
#include <stdio.h>
#include <string.h>

typedef int v4i __attribute__((vector_size(16)));
typedef unsigned char v8b __attribute__((vector_size(8)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef long long v2l __attribute__((vector_size(16)));
typedef int v3i __attribute__((ext_vector_type(3)));

static v4i global = {1, 2, 3, 4};
static v4f scale(v4f a, float by) { return a * by + (v4f){1, 2, 3, 4}; }
static int sum(v4i v) { int s = 0; for (int i = 0; i < 4; i++) s += v[i]; return s; }

int main(void) {
  v4i a = {1, -2, 3, -4}, b = {10, 20, 30, 40};
  v4i c = a * b + global, d = b / (a + 5), e = a >> 1, f = (a < 0) & b;
  printf("%d %d %d %d\n", sum(c), sum(d), sum(e), sum(f));
  for (int i = 0; i < 4; i++)
    printf("%d %d %d %d %d\n", c[i], d[i], e[i], f[i], (a == b)[i]);
  v8b bytes = {250, 251, 252, 253, 254, 255, 0, 1};
  bytes += 5;
  bytes ^= (v8b){1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < 8; i++)
    printf("%d ", bytes[i]);
  v4f x = scale((v4f){0.5f, 1.5f, -2.5f, 1e3f}, 2.0f);
  v2d y = {1.0, 3.0}, z = 1.0 / y - y;
  printf("\n%g %g %g %g %.6f %.6f\n", x[0], x[1], x[2], x[3], z[0], z[1]);
  v2l l = (v2l)a;
  printf("%llx %llx\n", (unsigned long long)l[0], (unsigned long long)l[1]);
  v4i s = __builtin_shufflevector(a, b, 0, 4, 3, 7);
  printf("%d %d %d %d\n", s[0], s[1], s[2], s[3]);
  v4f conv = __builtin_convertvector(a, v4f);
  printf("%g %g\n", conv[1], conv[3]);
  v3i t = {7, 8, 9};
  t.xz = t.zx;
  t.y *= 3;
  printf("%d %d %d\n", t.x, t.y, t.z);
  int k = 2;
  a[k] = 77;
  global[k + 1] -= 10;
  v4i m;
  memcpy(&m, &global, sizeof m);
  printf("%d %d %d\n", a[2], m[3], (int)sizeof(v3i));
  v4i mask = {-1, 0, -1, 0}, pick = (mask & a) | (~mask & b);
  printf("%d %d %d %d\n", pick[0], pick[1], pick[2], pick[3]);
  unsigned h = 0;
  v4i state = {1, 2, 3, 4};
  for (int i = 0; i < 50; i++) {
    state = state * 3 ^ (state >> 2) ^ i;
    state &= 0xffffff;
    h = h * 31 + (unsigned)sum(state);
  }
  printf("%u\n", h);
  return 0;
}
