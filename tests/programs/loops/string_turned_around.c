// expect: safe
//
// A predicate may look past the end of an object where no execution does.
#include "../attest.h"

int main(void) {
  unsigned n = 4;
  char s[n], t[n];
  int i, j = 0;
  for (i = 0; i < n; i++) s[i] = __VERIFIER_nondet_int();
  for (i = n - 1; i >= 0; i--) t[j++] = s[i];
  j = n - 1;
  for (i = 0; i < n; i++) {
    assert(s[i] == t[j]);
    j--;
  }
  return 0;
}
