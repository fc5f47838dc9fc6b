/* expected: safe
 *
 * Jain: a number that changes by an even number never is odd.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int y = 1;
  while (1) {
    y = y + 2 * __VERIFIER_nondet_int();
    if (y == 0)
      reach_error();
  }
}
