// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A variable is set under the condition under which it is used.
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), x;
  if (n > 3) x = n;
#ifdef WRONG
  if (n > 2)
#else
  if (n > 3)
#endif
    if (x == 7) return 1; // violated
  return 0;
}
