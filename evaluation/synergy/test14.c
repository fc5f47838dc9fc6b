/* expected: unsafe
 *
 * A loop with a fixed number of turns, then choices one after the other.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int turn = 0, x = 0, key = __VERIFIER_nondet_int();
  while (turn < 11)
    turn = turn + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else x = x - 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else x = x - 1;
  if (key == 90125)
    reach_error();
  return x;
}
