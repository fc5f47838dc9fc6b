// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// A switch has no default.
int __VERIFIER_nondet_int(void);
int main(void) {
  int x;
  switch (__VERIFIER_nondet_int()) {
  case 0: x = 1; break;
  case 1: x = 2; break;
#ifndef WRONG
  default: x = 3;
#endif
  }
  return x > 1; // violated
}
