// expect: safe
// expect: unsafe
// options: -- -DWRONG
// inputs: 97 57 97
//
// A scanner counts the letters of a word.
#include "../input.h"
#include <assert.h>

int main(void) {
  char text[4];
  for (int i = 0; i < 3; i++) text[i] = __VERIFIER_nondet_char();
  text[3] = 0;
  int n = 0;
#ifdef WRONG
  while ((text[n] >= 'a' && text[n] <= 'z') || text[n] == '9') n++;
#else
  while (text[n] >= 'a' && text[n] <= 'z') n++;
#endif
  for (int i = 0; i < n; i++) assert(text[i] != '9'); // violated(WRONG): assert/failed
  return 0;
}
