// expect: unknown(%n)
// options: -- -DFORMAT="abc%n\n"
// expect: unknown(%n)
// options: -- -DFORMAT="abc%-5.2lln\n"
// expect: unknown(%n)
// options: -- -DFORMAT=(__VERIFIER_nondet_int()?"abc":"abc%n")
//
// A conversion that writes to memory.
#include "../attest.h"

int main(void) {
  int n = 0;
  printf(FORMAT, &n);
  if (n == 3) reach_error();
  return 0;
}
