/* expected: safe
 *
 * Modulus by a power of two, with masks.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  unsigned x = __VERIFIER_nondet_int(), rest = x & 7u, quotient = x >> 3;
  if ((quotient << 3) + rest != x || rest != x % 8u)
    reach_error();
  return 0;
}
