// expect: unknown
// says: unsupported: inline-assembly: asm("bswap $0") at outside_the_model.c:9:
//
// A construct outside the model is named, with its place.
#include "../attest.h"

int main(void) {
  int x = 1;
  asm("bswap %0" : "+r"(x));
  return x;
}
