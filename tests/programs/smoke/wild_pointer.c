// expect: unsafe
// violated: memory/null-dereference at 15
// violated: memory/invalid-pointer at 15
//
// A pointer that the program makes of a number is used before the error: no proof may rest
// on that not happening.
#include "../attest.h"

struct s {
  int x;
};

int main(void) {
  struct s *p = (struct s *)__VERIFIER_nondet_ulong();
  p->x = 1;
  reach_error();
  return 0;
}
