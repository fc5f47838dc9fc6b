/* expected: safe
 *
 * Jain: two numbers that change by multiples of four.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int x = 1, y = 1;
  while (1) {
    x = x + 4 * __VERIFIER_nondet_int();
    y = y + 4 * __VERIFIER_nondet_int();
    if (x + y == 1)
      reach_error();
  }
}
