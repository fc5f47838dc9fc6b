// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// Bit-fields are set one by one in a word that was never set.
int __VERIFIER_nondet_int(void);
struct flags { unsigned a : 3, b : 5, c : 8; };
int main(void) {
  struct flags f;
  f.a = 5;
  f.c = (unsigned)__VERIFIER_nondet_int();
#ifdef WRONG
  if (f.b > 3) return 1; // violated
#else
  if (f.c > 3 && f.a == 5) return 1;
#endif
  return 0;
}
