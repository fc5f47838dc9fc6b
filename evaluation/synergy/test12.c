/* expected: safe
 *
 * The same, where the choices set what is checked.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int turn = 0, mode = 2, ups = 0;
  while (turn < 12) {
    if (__VERIFIER_nondet_int())
      mode = 4;
    else
      ups = ups + mode;
    turn = turn + 1;
  }
  if (mode != 2 && mode != 4)
    reach_error();
  return ups;
}
