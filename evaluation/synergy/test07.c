/* expected: unsafe
 *
 * Figure 1 with a loop of two turns and a choice in each.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int turn = 0, odd = 0;
  while (turn < 2) {
    if (__VERIFIER_nondet_int() == 4660)
      odd = odd + 1;
    turn = turn + 1;
  }
  if (odd == 2)
    reach_error();
  return 0;
}
