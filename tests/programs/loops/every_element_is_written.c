// expect: safe
// options: -- -DHOLE=100
// expect: unsafe
// options: -- -DHOLE=60
//
// What all elements are: one value up to the counter, and then up to the end.
#include "../attest.h"

int main(void) {
  int a[100];
  for (int i = 0; i < 100; i++) a[i] = i == HOLE ? 8 : 7;
  for (int j = 0; j < 100; j++) assert(a[j] == 7);
  return 0;
}
