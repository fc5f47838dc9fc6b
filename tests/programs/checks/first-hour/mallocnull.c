// expect: safe
// expect: unsafe
// options: --malloc may-fail -- -DFAILS
// expect: safe
// options: --malloc may-fail -- -DASKS
//
// Whether malloc may fail is asked for.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(10);
#ifdef ASKS
  if (!p) return 1;
#endif
  assert(p); // violated(FAILS): assert/failed
  return 0;
}
