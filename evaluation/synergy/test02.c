/* expected: safe
 *
 * The lock of figure 3 in a loop that ends at an input, so that no quotient is
 * finite.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int held = 0, seen, now = __VERIFIER_nondet_int(), goal = __VERIFIER_nondet_int();
  do {
    held = 1;
    seen = now;
    if (__VERIFIER_nondet_int()) {
      held = 0;
      now++;
    }
  } while (now != goal);
  if (seen != now && held)
    reach_error();
  return 0;
}
