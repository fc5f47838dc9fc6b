/* expected: unsafe
 *
 * Figure 7: two conditions on inputs, one with arithmetic.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x != y)
    if (3 * x == x + 26)
      reach_error();
  return 0;
}
