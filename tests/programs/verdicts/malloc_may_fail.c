// expect: unsafe
// options: --malloc may-fail
// says: whether an allocation fails
// expect: safe
//
// The second allocation fails, or the copy of the text; the native run does the same.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../attest.h"

int main(void) {
  int x = __VERIFIER_nondet_int();
  char *first = malloc(8), *second = calloc(2, 4);
  if (!first) return 0;
  strcpy(first, "text");
  char *copy = strdup(first);
  if (x == 77 && second && !copy && errno == ENOMEM) reach_error();
  return 0;
}
