// expect: safe
// check: assert
// algorithm: full smash lctd
// options: --with cd
//
// Branches that no event depends on stay open, and the proof is one of the program: the
// flag matters, one of the choices sets it, the other choices and the loop do not matter.
#include "../attest.h"

int locked;

static void acquire(void) {
  if (locked) reach_error();
  locked = 1;
}

static void release(void) {
  if (!locked) reach_error();
  locked = 0;
}

int main(void) {
  int x = __VERIFIER_nondet_int(), protect = 1, sum = 0;
  if (x > 0) protect = 0;
  if (protect) acquire();
  for (int i = 0; i < 1000; i++) sum += x;
  if (protect) release();
  return sum;
}
