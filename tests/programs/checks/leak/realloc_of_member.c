// expect: safe
// check: leak
// expect: unsafe
// check: leak
// options: -- -DWRONG
// natively: confirmed
// inputs: 9
//
// A line grows by realloc, in a structure that the caller passes.
#include "../input.h"
#include <stdlib.h>

struct line {
  char *text;
  unsigned length;
};

static void start(struct line *line) {
  line->length = 2;
  line->text = malloc(line->length); // violated(WRONG): leak/unreachable-memory
  line->text[0] = '>';
}

static void grow(struct line *line, unsigned more) {
  char *text = realloc(line->text, line->length + more);
  line->text = text;
  line->length += more;
}

int main(void) {
  struct line line;
  start(&line);
  int more = __VERIFIER_nondet_int();
#ifdef WRONG
  if (more == 9) line.text = NULL;
#endif
  if (more > 0 && more < 100) grow(&line, more);
  free(line.text);
  return 0;
}
