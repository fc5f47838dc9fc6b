/* expected: unsafe
 *
 * Figure 1 without its loop: one choice.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int key = __VERIFIER_nondet_int();
  if (key == 29573)
    reach_error();
  return 0;
}
