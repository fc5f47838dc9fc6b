/* expected: safe
 *
 * The lock of figure 3: taken in each turn, given back where the loop goes on.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int held = 0, seen, now = __VERIFIER_nondet_int();
  do {
    held = 1;
    seen = now;
    if (__VERIFIER_nondet_int()) {
      held = 0;
      now++;
    }
  } while (seen != now);
  if (!held)
    reach_error();
  return 0;
}
