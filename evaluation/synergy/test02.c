/* expected: safe
 *
 * The lock of figure 3, checked where it is taken and given back.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int held = 0, seen, now = __VERIFIER_nondet_int();
  do {
    if (held)
      reach_error();
    held = 1;
    seen = now;
    if (__VERIFIER_nondet_int()) {
      if (!held)
        reach_error();
      held = 0;
      now++;
    }
  } while (seen != now);
  return 0;
}
