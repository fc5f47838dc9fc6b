// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A union is read through a member that was not set.
int __VERIFIER_nondet_int(void);
union value { char c[8]; long n; };
int main(void) {
  union value v;
#ifdef WRONG
  v.c[0] = 1;
#else
  v.n = __VERIFIER_nondet_int();
#endif
  if (v.n == 1) return 1; // violated
  return 0;
}
