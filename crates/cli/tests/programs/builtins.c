/* clang's builtins. */
#include <limits.h>
#include <stdio.h>

static int checked(int a, int b) {
  int sum, product, difference, flags = 0;
  flags |= __builtin_add_overflow(a, b, &sum);
  flags |= __builtin_mul_overflow(a, b, &product) << 1;
  flags |= __builtin_sub_overflow(a, b, &difference) << 2;
  printf("%d %d %d ", sum, product, difference);
  return flags;
}
static int reached(int n) {
  switch (n & 3) {
  case 0: return 5;
  case 1: return 6;
  case 2: return 7;
  case 3: return 8;
  }
  __builtin_unreachable();
}

int main(void) {
  unsigned u[] = {1, 0xffffffffu, 0x80000000u, 0x00ff00ffu, 12345678};
  for (int i = 0; i < 5; i++)
    printf("%d %d %d %d %d %08x %04x\n", __builtin_popcount(u[i]), __builtin_clz(u[i]), __builtin_ctz(u[i]),
           __builtin_parity(u[i]), __builtin_ffs((int)u[i]), __builtin_bswap32(u[i]), __builtin_bswap16((unsigned short)u[i]));
  unsigned long long w = 0x0123456789abcdefull;
  printf("%d %d %d %016llx %d\n", __builtin_popcountll(w), __builtin_clzll(w), __builtin_ctzll(w << 20),
         (unsigned long long)__builtin_bswap64(w), __builtin_ffsll(0));
  printf("%d %d %d\n", __builtin_popcountl(255ul), __builtin_ctzl(64ul), __builtin_clrsb(-5));
  int a[] = {0, 1, -1, INT_MAX, INT_MIN, 46341, -46341};
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++)
      printf("%d\n", checked(a[i], a[j]));
  unsigned char c;
  short s;
  long long ll;
  unsigned long ul;
  printf("%d ", __builtin_add_overflow(200, 55, &c));
  printf("%d ", c);
  printf("%d ", __builtin_add_overflow(200, 56, &c));
  printf("%d ", c);
  printf("%d ", __builtin_mul_overflow(-200, 200u, &s));
  printf("%d ", s);
  printf("%d ", __builtin_smulll_overflow(LLONG_MAX, 2, &ll));
  printf("%lld ", ll);
  printf("%d ", __builtin_uaddl_overflow(ULONG_MAX, 3, &ul));
  printf("%lu ", ul);
  printf("%d\n", __builtin_sub_overflow(5u, 6ll, &ul));
  printf("%d %d %d\n", __builtin_expect(u[0], 1) ? 1 : 2, __builtin_constant_p(5 * 3), reached(3));
  printf("%d %d\n", __builtin_choose_expr(1, 10, 20), __builtin_types_compatible_p(int, long));
  printf("%x %x\n", __builtin_rotateleft32(0x12345678u, 8), __builtin_rotateright8(0x81, 1));
  printf("%x %llx\n", __builtin_bitreverse32(0x12345678u), (unsigned long long)__builtin_bitreverse64(w));
  printf("%d %d\n", (int)__builtin_offsetof(struct { char a; int b; }, b), (int)__builtin_strlen("four"));
  printf("%.2f %.2f %d %d\n", __builtin_fabs(-2.5), __builtin_copysign(1.0, -3.0), __builtin_isnan(0.0), __builtin_isinf_sign(-__builtin_inf()));
  int v[4] = {1, 2, 3, 4}, t[4];
  __builtin_memcpy(t, v, sizeof v);
  __builtin_memset(v, 0, 8);
  printf("%d %d %d\n", t[3], v[1], v[2]);
  __builtin_prefetch(v);
  int *aligned = __builtin_assume_aligned(t, 4);
  __builtin_assume(aligned[0] == 1);
  unsigned carry, low = __builtin_addc(0xffffffffu, 1u, 0u, &carry);
  printf("%d %u %u\n", aligned[0], low, carry);
  return 0;
}
