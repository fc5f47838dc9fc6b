/* expected: unsafe
 *
 * Figure 7: three conditions on inputs.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x > y)
    if (x - y < 4)
      if (x + y == 40001)
        reach_error();
  return 0;
}
