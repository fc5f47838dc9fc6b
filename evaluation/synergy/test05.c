/* expected: unsafe
 *
 * Figure 1 with an input as the bound, so that no quotient is finite.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int turn = 0, bound = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
  while (turn < bound)
    turn = turn + 1;
  if (key == 77345112)
    reach_error();
  return 0;
}
