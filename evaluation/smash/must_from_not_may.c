/* expected: unsafe
 *
 * Figure 3: what a procedure never does leads the test through another.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int spread(int i) {
  int sum = 0, turn = 0;
  if (i == 0)
    return 0;
  while (turn < 25) {
    if (__VERIFIER_nondet_int() > 3)
      sum = sum + i;
    turn = turn + 1;
  }
  return sum;
}

static int outer(int i, int key) {
  if (spread(i) != 0)
    return 1;
  return key == 65537 ? 2 : 0;
}

int main(void) {
  int i = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
  if (i == 0 && outer(i, key) == 2)
    reach_error();
  return 0;
}
