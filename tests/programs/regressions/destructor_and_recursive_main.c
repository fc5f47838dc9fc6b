// expect: unknown(a main that the program calls)
//
// A main that the program calls is not where the program ends.
#include "../attest.h"

static int g;

__attribute__((destructor)) static void f(void) { g++; }

int main(void) {
  if (g) reach_error();
  return !g++ ? main() : 0;
}
