/* expected: safe
 *
 * A loop with a fixed number of turns and choices inside, checked behind it.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int turn = 0, ups = 0, flag = 1;
  while (turn < 12) {
    if (__VERIFIER_nondet_int())
      ups = ups + 1;
    turn = turn + 1;
  }
  if (flag != 1)
    reach_error();
  return ups;
}
