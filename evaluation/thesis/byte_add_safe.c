/* expected: safe
 *
 * Byte add: a sum byte by byte with a carry is the machine's sum.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  unsigned char a0 = __VERIFIER_nondet_uchar(), a1 = __VERIFIER_nondet_uchar();
  unsigned char b0 = __VERIFIER_nondet_uchar(), b1 = __VERIFIER_nondet_uchar();
  unsigned low = (unsigned)a0 + b0, carry = 0, high;
  if (low > 255) {
    carry = 1;
    low = low - 256;
  }
  high = a1 + b1 + carry;
  if (high > 255)
    high = high - 256;
  unsigned expected = (a0 + 256u * a1 + b0 + 256u * b1) & 65535u;
  if (low + 256u * high != expected)
    reach_error();
  return 0;
}
