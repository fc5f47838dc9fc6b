// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// A search that ends by its bound or by a match.
#include "../attest.h"
int main(void) {
  const char *text = "unwinding";
  char wanted = (char)__VERIFIER_nondet_int();
  int at = -1;
  for (int i = 0; text[i]; i++)
    if (text[i] == wanted) {
      at = i;
      break;
    }
#ifdef WRONG
  assert(at != 8);
#else
  assert(at < 9 && (at == 1) == (wanted == (char)110));
#endif
  return 0;
}
