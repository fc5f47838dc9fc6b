// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// An out-parameter is not set on an error, and used nevertheless.
int __VERIFIER_nondet_int(void);
static int get(int n, int *out) {
  if (n < 0) return -1;
  *out = n / 2;
  return 0;
}
int main(void) {
  int value;
  int status = get(__VERIFIER_nondet_int(), &value);
#ifndef WRONG
  if (status != 0) return 1;
#endif
  if (value == 4) return 2; // violated
  return 0;
}
