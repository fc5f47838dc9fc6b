// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 8
//
// A value of two kinds; the text is replaced by a number.
#include "../input.h"
#include <stdlib.h>

struct value {
  int is_text;
  union {
    char *text;
    long number;
  } as;
};

static void set_number(struct value *v, long n) {
#ifndef WRONG
  if (v->is_text) free(v->as.text);
#endif
  v->is_text = 0;
  v->as.number = n;
}

int main(void) {
  struct value v;
  v.is_text = 1;
  v.as.text = malloc(6); // violated(WRONG): leak/unreachable-memory
  if (__VERIFIER_nondet_int() == 8) set_number(&v, 3);
  if (v.is_text) free(v.as.text);
  return 0;
}
