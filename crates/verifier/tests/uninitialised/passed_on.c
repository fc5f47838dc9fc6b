// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// An unset value is passed to a function and returned before it is used.
int __VERIFIER_nondet_int(void);
static int add(int a, int b) { return a + b; }
static int last;
static void keep(int v) { last = v; }
int main(void) {
  int x, n = __VERIFIER_nondet_int();
#ifndef WRONG
  x = n;
#endif
  keep(add(x, n));
  if (last > 3) return 1; // violated
  return 0;
}
