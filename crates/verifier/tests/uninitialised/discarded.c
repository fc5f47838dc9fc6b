// expect: safe
//
// A value is read, copied, passed and returned, and never used.
int __VERIFIER_nondet_int(void);
static int same(int x) { return x; }
static int g;
int main(void) {
  int x, y;
  y = x;
  (void)y;
  g = same(y) + 1;
  return 0;
}
