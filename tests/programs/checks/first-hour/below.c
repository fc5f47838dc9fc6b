// expect: safe
//
// A pointer is computed below the start of its buffer and compared.
#include "../input.h"
#include <assert.h>
#include <string.h>

static int f(const char *ip, int n, char *out) {
  const char *end = ip + n;
  const char *s = end - 16;
  if (ip < s) {
    memcpy(out, ip, 16);
    return 16;
  }
  return 0;
}

int main(void) {
  char in[4], out[8];
  for (int i = 0; i < 4; i++) in[i] = __VERIFIER_nondet_char();
  int r = f(in, 4, out);
  assert(r <= 8);
  return 0;
}
