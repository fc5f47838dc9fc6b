// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A pointer of a table was never set.
int __VERIFIER_nondet_int(void);
static int a, b;
int main(void) {
  int *table[3];
  table[0] = &a;
  table[1] = &b;
#ifdef WRONG
  unsigned n = 3;
#else
  unsigned n = 2;
#endif
  return *table[(unsigned)__VERIFIER_nondet_int() % n]; // violated
}
