// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A structure with padding is copied as a whole and compared by its fields.
int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);
int memcmp(const void *, const void *, unsigned long);
struct pair { char c; int n; };
int main(void) {
  struct pair a, b, c;
  a.c = 1;
  a.n = __VERIFIER_nondet_int();
  memcpy(&b, &a, sizeof a);
  c = b;
#ifdef WRONG
  if (memcmp(&a, &c, sizeof a) != 0) return 2; // violated
#else
  if (c.n == 5 && c.c == 1) return 2;
#endif
  return 0;
}
