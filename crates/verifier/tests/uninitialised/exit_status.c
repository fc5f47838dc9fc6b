// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// The status of the program was never set.
int __VERIFIER_nondet_int(void);
int main(void) {
  int status;
  if (__VERIFIER_nondet_int() > 0) status = 0;
#ifndef WRONG
  else status = 1;
#endif
  return status; // violated
}
