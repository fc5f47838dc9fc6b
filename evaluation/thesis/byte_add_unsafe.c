/* expected: unsafe
 *
 * Byte add without the carry.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  unsigned char a0 = __VERIFIER_nondet_uchar(), a1 = __VERIFIER_nondet_uchar();
  unsigned char b0 = __VERIFIER_nondet_uchar(), b1 = __VERIFIER_nondet_uchar();
  unsigned low = ((unsigned)a0 + b0) & 255u, high = ((unsigned)a1 + b1) & 255u;
  unsigned expected = (a0 + 256u * a1 + b0 + 256u * b1) & 65535u;
  __VERIFIER_assume(a0 > 200 && b0 > 200 && a1 == b1);
  if (low + 256u * high != expected)
    reach_error();
  return 0;
}
