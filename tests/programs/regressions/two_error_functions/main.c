// expect: unsafe
//
// Static error functions of the same name in two files are both errors.
static void reach_error(void) {}
void g(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 7 && x == 8) reach_error();
  g(x);
  return 0;
}
