/* expected: unsafe
 *
 * Figure 1 with the loop alone in the way of the error.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int turn = 0, key = __VERIFIER_nondet_int();
  while (turn < 11)
    turn = turn + 1;
  __VERIFIER_assume(key < -70000000);
  if (key * 5 == -350000005)
    reach_error();
  return 0;
}
