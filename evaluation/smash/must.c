/* expected: unsafe
 *
 * Figure 2: one way through a procedure serves three calls; the other way is hard.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int mixed(int a) {
  int turn = 0;
  unsigned h = a;
  while (turn < 30) {
    h = h * 33u + turn;
    turn = turn + 1;
  }
  return h % 1000003u;
}

static int value_of(int a) {
  if (a > 0)
    return a;
  return mixed(a);
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  int x = value_of(a), y = value_of(b), z = value_of(c);
  if (a == 40961 && x == 40961)
    if (b == 7 && y == 7)
      if (c == 1299709 && z == 1299709)
        reach_error();
  return 0;
}
