/* expected: safe
 *
 * Figure 8: choices one after the other that do not matter.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int state = 6, x = 0, y = 0;
  if (__VERIFIER_nondet_int()) x = x + 1; else y = y + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else y = y + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else y = y + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else y = y + 1;
  if (state != 6)
    reach_error();
  return x + y;
}
