// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A text is printed that does not end where it was set.
int __VERIFIER_nondet_int(void);
int printf(const char *, ...);
void *malloc(unsigned long);
int main(void) {
  char *s = malloc(4);
  if (!s) return 0;
  s[0] = 'o';
  s[1] = 'k';
#ifndef WRONG
  s[2] = 0;
#endif
  printf("%d %5s\n", 3, s); // violated
  return 0;
}
