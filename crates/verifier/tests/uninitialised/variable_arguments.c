// expect: safe
// expect: unknown
// options: -- -DWRONG
//
// An unset value as a variable argument is not followed.
int __VERIFIER_nondet_int(void);
static int first(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  int value = __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return value;
}
int main(void) {
  int x;
#ifndef WRONG
  x = 3;
#endif
  return first(1, x) == 3;
}
