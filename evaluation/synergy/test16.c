/* expected: safe
 *
 * A loop without an end, and a check behind it that nobody reaches.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int x = 0, y = __VERIFIER_nondet_int();
  while (x == 0) {
    y = y + 1;
    if (y == 0)
      y = 1;
  }
  reach_error();
  return 0;
}
