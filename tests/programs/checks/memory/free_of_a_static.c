// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 7
//
// A default text is freed like one from the heap.
#include "../input.h"
#include <stdlib.h>
#include <string.h>

static char usual[] = "usual";

static char *choose(int k) {
  if (k == 7) return usual;
  char *s = malloc(4);
  if (!s) exit(1);
  strcpy(s, "new");
  return s;
}

int main(void) {
  char *s = choose(__VERIFIER_nondet_int());
  int c = s[0];
#ifdef WRONG
  free(s); // violated(WRONG): memory/bad-free
#else
  if (s != usual) free(s);
#endif
  return c;
}
