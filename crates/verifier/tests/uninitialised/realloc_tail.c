// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// What realloc adds is not set, what was there stays.
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
int main(void) {
  char *p = malloc(2);
  if (!p) return 0;
  p[0] = 1; p[1] = 2;
  char *q = realloc(p, 4);
  if (!q) return 0;
#ifdef WRONG
  if (q[2] == 2) return 1; // violated
#else
  if (q[1] == 2) return 1;
#endif
  return 0;
}
