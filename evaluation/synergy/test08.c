/* expected: safe
 *
 * Figure 6: nothing comes out of the loop, whose states all differ.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int left = __VERIFIER_nondet_int();
  while (left > 0)
    left = left - 1;
  __VERIFIER_assume(0);
  reach_error();
  return 0;
}
