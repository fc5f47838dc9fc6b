/* expected: safe
 *
 * Two counters that go up together: what holds at the loop is more than the
 * program says.
 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0, sum = 0;
  while (i < n) {
    i++;
    sum++;
  }
  if (sum != n)
    reach_error();
  return 0;
}
