// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 7
//
// A string with its header before its first character, as in sds.
#include "../input.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct header {
  unsigned char length, room, flags;
  char text[];
};

static char *make(unsigned char length) {
  struct header *h = malloc(sizeof *h + length + 1u);
  if (!h) exit(1);
  h->length = length;
  h->room = 0;
  h->flags = 5;
  memset(h->text, 'x', length);
  h->text[length] = 0;
  return h->text;
}

static int flags(const char *s) { return s[-1]; }
static int size(const char *s) {
#ifdef WRONG
  return s[-4]; // violated(WRONG): memory/out-of-bounds
#else
  return (unsigned char)s[-3];
#endif
}

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  char *s = make(n & 7);
  int answer = flags(s) == 5 ? size(s) : -1;
  free(s - offsetof(struct header, text));
  return answer;
}
