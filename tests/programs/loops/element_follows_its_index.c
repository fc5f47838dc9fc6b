// expect: safe
//
// Elements as a function of the index, and of a stride that is no power of two.
#include "../attest.h"

struct s {
  int x, y, z;
} a[40];

int main(void) {
  for (int i = 0; i < 40; i++) {
    a[i].x = 5;
    a[i].y = 3 * i + 1;
  }
  for (int j = 0; j < 40; j++) assert(a[j].y == 3 * j + 1);
  return 0;
}
