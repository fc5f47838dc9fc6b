/* Big natural numbers: factorials, Fibonacci, powers, division, in several bases. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMBS = 24 };
typedef struct { uint32_t limb[LIMBS]; } big;

static big from(uint32_t n) { return (big){{n}}; }
static big add(big a, big b) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; i++) {
    carry += (uint64_t)a.limb[i] + b.limb[i];
    a.limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return a;
}
static big times(big a, uint32_t m) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; i++) {
    carry += (uint64_t)a.limb[i] * m;
    a.limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return a;
}
static big multiply(const big *a, const big *b) {
  big r = {{0}};
  for (int i = 0; i < LIMBS; i++) {
    uint64_t carry = 0;
    for (int j = 0; i + j < LIMBS; j++) {
      carry += (uint64_t)a->limb[i] * b->limb[j] + r.limb[i + j];
      r.limb[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  return r;
}
static uint32_t divide(big *a, uint32_t d) {
  uint64_t rest = 0;
  for (int i = LIMBS; i-- > 0;) {
    rest = rest << 32 | a->limb[i];
    a->limb[i] = (uint32_t)(rest / d);
    rest %= d;
  }
  return (uint32_t)rest;
}
static int is_zero(const big *a) { for (int i = 0; i < LIMBS; i++) if (a->limb[i]) return 0; return 1; }
static void show(const char *name, big a, unsigned base) {
  char text[800];
  int at = sizeof text;
  text[--at] = 0;
  do
    text[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[divide(&a, base)];
  while (!is_zero(&a));
  printf("%s %s\n", name, text + at);
}

int main(void) {
  big f = from(1);
  for (uint32_t i = 2; i <= 60; i++)
    f = times(f, i);
  show("60!", f, 10);
  show("60! in hex", f, 16);
  big a = from(0), b = from(1);
  for (int i = 0; i < 500; i++) {
    big t = add(a, b);
    a = b;
    b = t;
  }
  show("fib 500", a, 10);
  big p = from(3), r = from(1);
  for (unsigned e = 401; e; e >>= 1) {
    if (e & 1)
      r = multiply(&r, &p);
    p = multiply(&p, &p);
  }
  show("3^401", r, 36);
  uint32_t rest = divide(&r, 1000003);
  printf("%u\n", rest);
  big z = {{0}};
  show("zero", z, 2);
  return (int)(rest % 100);
}
