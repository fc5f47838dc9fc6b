// expect: false(no-overflow)
// options: --property no-overflow
// expect: unsafe(interpreted)
//
// Where the property does not ask for it, an error function with a body is a function.
extern int __VERIFIER_nondet_int(void);

static int errors;

void reach_error(void) {
  errors++;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 1000) reach_error();
  return errors ? x + 1 : 0;
}
