// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// What scanf stores is set, if it stores it.
int __VERIFIER_nondet_int(void);
int scanf(const char *, ...);
int main(void) {
  int n;
#ifdef WRONG
  scanf("%d", &n);
#else
  if (scanf("%d", &n) != 1) return 1;
#endif
  return n == 3; // violated
}
