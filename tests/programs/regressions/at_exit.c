// expect: unsafe
// options: -- -DFIRST=f -DSECOND=h -DEND=exit(0)
// expect: unsafe
// options: -- -DFIRST=f -DSECOND=h -DEND=return(0)
// expect: safe
// options: -- -DFIRST=h -DSECOND=f -DEND=exit(3)
// expect: safe
// options: -- -DFIRST=h -DSECOND=f -DEND=return(0)
// expect: safe
// options: -- -DFIRST=f -DSECOND=h -DEND=_Exit(1)
// expect: safe
// options: -- -DFIRST=f -DSECOND=h -DEND=abort()
// expect: unknown(exit while the program ends)
// options: -- -DFIRST=f -DSECOND=again -DEND=exit(0)
//
// What `atexit` was given runs where the program ends by itself; the last that was given is
// the first that runs.
#include "../attest.h"

int atexit(void (*)(void));
void exit(int);
void _Exit(int);
void abort(void);
int g;

static void f(void) {
  if (g) reach_error();
}

static void h(void) { g = 1; }

static void again(void) { exit(1); }

int main(void) {
  atexit(FIRST);
  atexit(SECOND);
  if (__VERIFIER_nondet_int() == 77) {
    END;
  }
  _Exit(0);
}
