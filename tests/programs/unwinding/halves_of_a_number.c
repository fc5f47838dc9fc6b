// expect: safe
// says: all executions unwound
// expect: unsafe
// options: -- -DWRONG
//
// Numbers of 4 bytes written into one of 8, and numbers of 2 and 16 bytes read from them.
#include "../attest.h"
int main(void) {
  union { unsigned __int128 whole; unsigned words[4]; unsigned short shorts[8]; } u = {1};
  unsigned at = __VERIFIER_nondet_uint() % 4, from = __VERIFIER_nondet_uint() % 8;
  u.words[at] = 0xdeadbeef;
#ifdef WRONG
  assert(u.shorts[from] != 0xdead || at != 3);
#endif
  assert(from / 2 != at || u.shorts[from] == (from % 2 ? 0xdead : 0xbeef));
  assert(at < 2 || (unsigned long)(u.whole >> 64) >> (at - 2) * 32 == 0xdeadbeef);
  return 0;
}
