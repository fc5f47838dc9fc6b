/* lp64 */
/* Arithmetic of 128 bits. */
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static void show(uwide n) { printf("%016llx%016llx\n", (unsigned long long)(n >> 64), (unsigned long long)n); }
static int decimal(char *to, uwide n) {
  char digits[40];
  int k = 0, i = 0;
  do
    digits[k++] = (char)('0' + (int)(n % 10));
  while (n /= 10);
  while (k)
    to[i++] = digits[--k];
  to[i] = 0;
  return i;
}
static uwide power(uwide b, unsigned e) { uwide r = 1; for (; e; e >>= 1, b *= b) if (e & 1) r *= b; return r; }
static uwide gcd(uwide a, uwide b) { while (b) { uwide t = a % b; a = b; b = t; } return a; }
struct pair { char c; wide w; };
static struct pair swap(struct pair p, wide other) { return (struct pair){(char)(p.c + 1), other - p.w}; }

int main(void) {
  char text[50];
  uwide a = power(3, 80), b = ~(uwide)0 / 7;
  show(a);
  show(b);
  show(a * b);
  show(a + b);
  show(a - b);
  show(a / 1000000007u);
  show(b % a);
  show(a << 5 ^ b >> 71);
  wide s = -(wide)a;
  show((uwide)(s >> 90));
  show((uwide)(s / 12345));
  show((uwide)(s % 12345));
  printf("%d %d %d %d\n", s < 0, a < b, (wide)a > s, (uwide)s > a);
  decimal(text, power(10, 38));
  printf("%s\n", text);
  int n = decimal(text, ~(uwide)0);
  printf("%s %d\n", text, n);
  show(gcd(power(2, 100) * 9, power(2, 90) * 15));
  struct pair p = swap((struct pair){'a', -1}, s);
  show((uwide)p.w);
  printf("%c %d\n", p.c, (int)sizeof p);
  printf("%.6e %.6e\n", (double)a, (double)s);
  show((uwide)(wide)-1.5e30);
  long long x = 0x7fffffffffffffff;
  show((uwide)((wide)x * x));
  uwide v[3] = {1, a, b};
  for (int i = 0; i < 200; i++)
    v[i % 3] = v[(i + 1) % 3] * 6364136223846793005u + v[(i + 2) % 3] + (uwide)i;
  show(v[0] ^ v[1] ^ v[2]);
  wide over;
  printf("%d ", __builtin_add_overflow((wide)1 << 126, (wide)1 << 126, &over));
  printf("%d\n", __builtin_sub_overflow((wide)5, (wide)6, &over));
  show((uwide)over);
  return 0;
}
