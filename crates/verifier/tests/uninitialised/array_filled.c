// expect: safe
// expect: unsafe
// options: -- -DWRONG
//
// An array is filled from inputs and summed.
int __VERIFIER_nondet_int(void);
int main(void) {
  int a[3], sum = 0;
#ifdef WRONG
  for (int i = 1; i < 3; i++) a[i] = __VERIFIER_nondet_int();
#else
  for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();
#endif
  for (int i = 0; i < 3; i++) sum ^= a[i];
  return sum == 7; // violated
}
