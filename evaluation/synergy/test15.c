/* expected: safe
 *
 * An endless loop with the check inside it and few states.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int a = 0, b = 0;
  while (1) {
    if (a != b)
      reach_error();
    a = 1 - a;
    b = 1 - b;
  }
}
