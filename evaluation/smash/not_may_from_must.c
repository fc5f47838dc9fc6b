/* expected: safe
 *
 * Figure 4: a test through a hard procedure saves the proof about it.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int hard(int n) {
  int at = 2, found = 2;
  while (at < n && at < 60) {
    int by = 2, prime = 1;
    while (by * by <= at) {
      if (at % by == 0)
        prime = 0;
      by = by + 1;
    }
    if (prime)
      found = at;
    at = at + 1;
  }
  return found;
}

static int outer(int n) {
  int p = hard(n), flag = 0;
  if (p > 10)
    flag = 1;
  return flag ? 4 : 6;
}

int main(void) {
  int x = outer(__VERIFIER_nondet_int());
  if (x % 2 != 0)
    reach_error();
  return 0;
}
