// expect: unsafe
//
// Tests run on after their first states.
#include "../attest.h"

int main(void) {
  unsigned x = 0, y = 0;
  while (x < 600000) {
    x++;
    y += x & 3;
  }
  if (y == 900000) reach_error();
  return 0;
}
