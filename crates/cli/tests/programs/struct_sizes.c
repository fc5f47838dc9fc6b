/* Structures of every size from 1 to 40 bytes, passed and returned by value, directly and through pointers. */
#include <stdio.h>
#include <string.h>

#define SIZES(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) \
  X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(36) X(40)

#define DEFINE(N) \
  struct s##N { unsigned char b[N]; }; \
  static struct s##N turn##N(struct s##N s, int by) { \
    struct s##N r; \
    for (int i = 0; i < N; i++) \
      r.b[i] = (unsigned char)(s.b[(i + by) % N] + i); \
    s.b[0] = 99; \
    return r; \
  } \
  static unsigned sum##N(char c, struct s##N s, double d, struct s##N t) { \
    unsigned h = (unsigned)c + (unsigned)d; \
    for (int i = 0; i < N; i++) \
      h = h * 31 + s.b[i] * 3u + t.b[i]; \
    return h; \
  }
SIZES(DEFINE)

int main(void) {
#define TEST(N) { \
    struct s##N a, b; \
    for (int i = 0; i < N; i++) \
      a.b[i] = (unsigned char)(i * 7 + N); \
    b = turn##N(a, 3); \
    struct s##N (*f)(struct s##N, int) = turn##N; \
    struct s##N c = f(turn##N(b, 1), 2); \
    printf("%d %u %u %d %d\n", N, sum##N('c', a, 2.5, b), sum##N(-1, c, 7, a), memcmp(&a, &b, N) == 0, a.b[0]); \
  }
  SIZES(TEST)
  return 0;
}
