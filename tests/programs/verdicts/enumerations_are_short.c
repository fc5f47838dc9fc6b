// expect: safe
// options: -- -fshort-enums
// expect: unsafe
#include "../attest.h"

enum small { A, B = 200 };

int main(void) {
  enum small e = __VERIFIER_nondet_uint();
  if (sizeof e != 1 || e > 255) reach_error();
  return 0;
}
