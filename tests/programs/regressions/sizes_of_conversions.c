// expect: ends(0)
// options: -- -DTYPE=long -DFORMAT="abc%ln"
// expect: ends(0)
// options: -- -DTYPE=int -DFORMAT="abc%n"
// expect: ends(0)
// options: -- -DTYPE=short -DFORMAT="abc%hn"
// expect: ends(0)
// options: -- -DTYPE=char -DFORMAT="abc%hhn"
//
// What `%n` writes has the size that is said.
#include "../attest.h"

int main(void) {
  char b[16];
  signed TYPE n = -1;
  snprintf(b, 16, FORMAT, &n);
  if (n != 3) reach_error();
  return 0;
}
