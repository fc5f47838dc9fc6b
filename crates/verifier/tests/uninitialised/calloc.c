// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// calloc gives zeros, malloc does not.
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
int main(void) {
#ifdef WRONG
  int *p = malloc(4 * sizeof *p);
#else
  int *p = calloc(4, sizeof *p);
#endif
  if (!p) return 0;
  unsigned i = (unsigned)__VERIFIER_nondet_int() % 4;
  if (p[i]) return 1; // violated
  return 0;
}
