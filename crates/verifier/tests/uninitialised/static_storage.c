// expect: safe
//
// Static storage is zero.
int __VERIFIER_nondet_int(void);
static int table[16], total;
int main(void) {
  static int calls;
  unsigned i = (unsigned)__VERIFIER_nondet_int() % 16;
  if (table[i] || total || calls) return 1;
  return 0;
}
