// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// A block ends on one of the paths, in a loop that other paths leave.
#include "../attest.h"
void free(void *);
int main(void) {
  int *p = malloc(sizeof *p), k = __VERIFIER_nondet_int();
  *p = 1;
  for (int i = 0; i < 3; i++)
    if (k == i) {
      free(p);
      break;
    }
#ifdef WRONG
  if (k < 0 || k > 1) *p = 2;
#else
  if (k < 0 || k > 2) *p = 2;
#endif
  return 0;
}
