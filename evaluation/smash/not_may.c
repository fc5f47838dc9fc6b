/* expected: safe
 *
 * Figure 1: what a procedure never does serves three calls.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int size_of(int a) {
  if (a < -5000 || a > 5000)
    return 3;
  return a > 0 ? a : -a;
}

int main(void) {
  int a = size_of(__VERIFIER_nondet_int());
  int b = size_of(__VERIFIER_nondet_int());
  int c = size_of(__VERIFIER_nondet_int());
  if (a < 0 || b < 0 || c < 0)
    reach_error();
  return 0;
}
