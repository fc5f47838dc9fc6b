// expect: unsafe
//
// A main that calls itself has the arguments of the call.
#include "../attest.h"

int main(int n, char **v) {
  if (n == 5 && !v) reach_error();
  return n == 1 ? main(5, 0) : 0;
}
