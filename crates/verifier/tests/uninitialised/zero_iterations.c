// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A loop that sets a variable may run zero times.
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), last;
#ifndef WRONG
  last = 0;
#endif
  for (int i = 0; i < n && i < 10; i++) last = i;
  if (last == 3) return 1; // violated
  return 0;
}
