/* expected: safe
 *
 * Parity of a byte, bit by bit and by folding.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  unsigned char byte = __VERIFIER_nondet_uchar(), folded = byte;
  int parity = 0, bit = 0;
  while (bit < 8) {
    parity = parity ^ (byte >> bit & 1);
    bit = bit + 1;
  }
  folded = folded ^ folded >> 4;
  folded = folded ^ folded >> 2;
  folded = folded ^ folded >> 1;
  if ((folded & 1) != parity)
    reach_error();
  return 0;
}
