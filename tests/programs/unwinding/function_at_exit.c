// expect: safe
// says: all executions unwound
// expect: unsafe(interpreted)
// options: -- -DWRONG
// natively: confirmed
//
// What runs at the end sees what the last path left, and no variables of main.
#include "../attest.h"
int atexit(void (*)(void));
void exit(int);
static int *p, global = 5;
static void last(void) { assert(*p == 5); }
int main(void) {
  int local = 5, k = __VERIFIER_nondet_int();
  p = &local;
  atexit(last);
  if (k == 7) exit(0);
#ifdef WRONG
  if (k != 9)
#endif
    p = &global;
  return local - 5;
}
