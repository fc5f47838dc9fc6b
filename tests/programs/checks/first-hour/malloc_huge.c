// expect: unsafe
// natively: confirmed
//
// A size that no object can have always fails.
#include <stdlib.h>

int main(void) {
  char *p = malloc((size_t)-101);
  p[0] = 1; // violated: memory/null-dereference
  return 0;
}
