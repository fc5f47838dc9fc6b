// expect: ends(0)
//
// What `%hhn` writes is one byte.
#include "../attest.h"

struct {
  signed char a, b, c, d;
} s = {1, 1, 1, 1};

int main(void) {
  char b[16];
  snprintf(b, 16, "abc%hhn", &s.b);
  if (s.a != 1 || s.b != 3 || s.c != 1 || s.d != 1) reach_error();
  return 0;
}
