/* expected: safe
 *
 * Two counters in step, checked behind the loop.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int a = 0, b = 5, n = __VERIFIER_nondet_int();
  while (a < n) {
    a = a + 1;
    b = b + 1;
  }
  if (b - a != 5)
    reach_error();
  return 0;
}
