// expect: safe
// check: memory
// expect: unsafe
// check: memory
// options: -- -DWRONG
// violated: memory/out-of-bounds at 18
//
// The message of an error is some text, and may be empty or long.
#include "../attest.h"

char *strerror(int);
size_t strlen(const char *);

int main(void) {
  char room[64];
  const char *text = strerror(__VERIFIER_nondet_int());
#ifdef WRONG
  room[strlen(text) + 20] = text[0];
#else
  room[strlen(text)] = text[0];
#endif
  return room[0] && !text[0];
}
