// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1
//
// A name is copied into a field that lacks the byte for its end.
#include "../input.h"
#include <stdlib.h>
#include <string.h>

static void set_name(char *to, const char *name) {
  strcpy(to, name); // violated(WRONG): memory/out-of-bounds
}

int main(void) {
#ifdef WRONG
  char *name = malloc(7);
#else
  char *name = malloc(8);
#endif
  if (!name) return 1;
  set_name(name, __VERIFIER_nondet_int() == 1 ? "Gustavo" : "Anna");
  int first = name[0];
  free(name);
  return first;
}
