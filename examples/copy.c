/* expected: safe
 *
 * A bounded string copy that always ends its result with a zero byte.
 */
#include <assert.h>
#include <stdio.h>

static void copy(char *to, const char *from, unsigned size) {
  unsigned i = 0;
  for (; i + 1 < size && from[i]; i++)
    to[i] = from[i];
  to[i] = 0;
}

int main(void) {
  char to[6];
  copy(to, "attestation", sizeof to);
  printf("%s\n", to);
  assert(to[5] == 0);
  return 0;
}
