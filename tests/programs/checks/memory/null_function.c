// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: no (the call of null has no line in the report of AddressSanitizer)
// inputs: 4
//
// A callback that may be absent is called.
#include "../input.h"

struct device {
  int (*open)(int);
  int (*close)(int);
};
static int ok(int x) { return x & 1; }

int main(void) {
  struct device d = {ok, 0};
  if (__VERIFIER_nondet_int() == 3) return d.open(1);
#ifdef WRONG
  return d.close(2); // violated(WRONG): memory/null-dereference
#else
  return d.close ? d.close(2) : 0;
#endif
}
