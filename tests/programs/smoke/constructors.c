// expect: unsafe
// options: -- -DKIND=constructor -DVALUE=1
// expect: unsafe
// options: -- -DKIND=destructor -DVALUE=1
// expect: safe
// options: -- -DKIND=destructor -DVALUE=0
//
// What runs before main and after it.
#include "../attest.h"

int g;

__attribute__((KIND)) static void f(void) {
  if (g) reach_error();
  g = 1;
}

int main(void) {
  if (g) reach_error();
  g = VALUE;
  return 0;
}
