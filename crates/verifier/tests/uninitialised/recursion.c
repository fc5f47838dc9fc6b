// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A result of a recursive function is set only where it ends.
int __VERIFIER_nondet_int(void);
static int down(int n, int *out) {
  if (n <= 0) { *out = 1; return 0; }
  if (n == 3) return 1;
  return down(n - 1, out);
}
int main(void) {
  int v, n = __VERIFIER_nondet_int();
  if (n > 5) return 0;
  int failed = down(n, &v);
#ifndef WRONG
  if (failed) return 0;
#endif
  if (v == 2) return 1; // violated
  return 0;
}
