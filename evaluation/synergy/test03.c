/* expected: unsafe
 *
 * Figure 1: a loop with a fixed number of turns, then an input decides.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int turn = 0, sum = 0, key = __VERIFIER_nondet_int();
  while (turn < 12) {
    sum = sum + turn;
    turn = turn + 1;
  }
  if (key == 305419896)
    reach_error();
  return sum;
}
