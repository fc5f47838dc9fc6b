// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A library function runs over bytes that were never set; the place is the call.
int __VERIFIER_nondet_int(void);
unsigned long strlen(const char *);
int main(void) {
  char text[8];
  text[0] = 'a';
#ifndef WRONG
  text[1] = 0;
#endif
  return strlen(text) > 3; // violated
}
