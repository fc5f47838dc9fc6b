// expect: unknown
// budget: 3
//
// Where objects lie is not known: models of drivers say that an allocation which did not
// fail is at a low address, and this is no proof that every one fails.
#include "../attest.h"

int main(void) {
  int *p = malloc(sizeof *p);
  __VERIFIER_assume((unsigned long)p <= 2012ul);
  reach_error();
  return 0;
}
