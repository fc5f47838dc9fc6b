// expect: false(valid-memcleanup)
// options: --property valid-memcleanup
// expect: safe
// options: --check leak
//
// For SV-COMP nothing may be left wherever the program ends; else abort may leave what is still
// pointed to.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int *table;

int main(void) {
  table = malloc(4 * sizeof *table);
  if (__VERIFIER_nondet_int() == 77) abort();
  free(table);
  return 0;
}
