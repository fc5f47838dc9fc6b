// expect: safe
//
// A size that no object can have always fails, and sets errno.
#include <errno.h>
#include <stdlib.h>
#include <stdint.h>
#include "../attest.h"

int main(void) {
  size_t large = (size_t)PTRDIFF_MAX + 1;
  errno = 0;
  if (malloc((size_t)-101)) reach_error();
  if (errno != ENOMEM) reach_error();
  char *p = malloc(10);
  *p = 5;
  if (realloc(p, large) || *p != 5) reach_error();
  if (calloc(large / 2, 2) || calloc(large, 3) || aligned_alloc(16, large)) reach_error();
  free(p);
  return 0;
}
