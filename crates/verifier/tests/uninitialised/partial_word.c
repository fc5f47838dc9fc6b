// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// Bytes of a word are set one by one and tested with a mask.
int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned word;
  unsigned char *b = (unsigned char *)&word;
  b[0] = 1;
  b[1] = (unsigned char)__VERIFIER_nondet_int();
#ifdef WRONG
  if (word & 0x10000) return 1; // violated
#else
  if (word & 0xff00) return 1;
#endif
  return 0;
}
