/* expected: safe
 *
 * A counter that runs up to an input and down again.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int up = 0, down, n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  while (up < n)
    up = up + 1;
  down = up;
  while (down > 0)
    down = down - 1;
  if (down != 0)
    reach_error();
  return 0;
}
