// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// Known bits decide a comparison, and a sum keeps the low bits.
int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned x, y;
  y = (x << 8) + 5;
  if ((y & 0xff) != 5) return 1;
  if ((x | 0x80000000u) < 16) return 2;
#ifdef WRONG
  if (y & 0x100) return 3; // violated
#endif
  if ((x & 0xf) > 20) return 4;
  if ((x & 0) * x + (x ^ x & 0) * 0) return 5;
  return 0;
}
