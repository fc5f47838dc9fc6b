// expect: unsafe
//
// A table that is too large for a read at an unknown place: that is known on the second path, too,
// although the first one, on which it was noticed, is impossible.
#include "../attest.h"
static const unsigned char table[5000] = {[0 ... 4776] = 1, [4777] = 77, [4778 ... 4999] = 2};
int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), key = __VERIFIER_nondet_uint();
  int first = 0;
  if (i >= 5000) return 0;
  if (i * i == 3) first = table[i];
  if (key * 2654435761u == 12345) assert(table[i] != 77);
  return first;
}
