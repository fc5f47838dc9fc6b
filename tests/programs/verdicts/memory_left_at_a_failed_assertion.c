// expect: false(valid-memcleanup)
// options: --property valid-memcleanup
// expect: true
// options: --property valid-memcleanup -- -DFREED
// expect: unknown(still pointed to)
// options: --property valid-memtrack
// expect: false(valid-memtrack)
// options: --property valid-memtrack -- -DLOST
// expect: safe(until)
// options: --check leak -- -DFREED
//
// A failed assertion that the property does not ask for ends the program like abort.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void) __attribute__((__noreturn__));

struct sample {
  int value;
};

int main(void) {
  struct sample *sample = malloc(sizeof *sample);
  sample->value = __VERIFIER_nondet_int();
  if (sample->value != 12345) {
#ifdef FREED
    free(sample);
#endif
#ifdef LOST
    sample = NULL;
#endif
    __VERIFIER_error();
  }
  free(sample);
  return 0;
}
