// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A double is set on one path only.
int __VERIFIER_nondet_int(void);
int main(void) {
  double d;
  int n = __VERIFIER_nondet_int();
  if (n > 0) d = n;
#ifndef WRONG
  else d = 0.5;
#endif
  if (d * 2 > 3) return 1; // violated
  return 0;
}
