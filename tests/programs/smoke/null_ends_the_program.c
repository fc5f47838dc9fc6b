// expect: safe(until memory/null-dereference at )
// check: assert
// says: a run ended by null-dereference: an access through a null pointer at null_ends_the_program.c:12:
// says: ends a run: 
//
// An access through null ends the program, so what is behind it cannot be reached.
#include "../attest.h"

int main(void) {
  int x = 0, *p = &x;
  if (__VERIFIER_nondet_int()) p = 0;
  *p = 1;
  if (x != 1) reach_error();
  return 0;
}
