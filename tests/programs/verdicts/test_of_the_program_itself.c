// expect: unsafe(interpreted)
//
// Inlining leaves out variables that nobody needs; the program itself has them still.
#include "../attest.h"

int second(int a, int b) { return b; }

int main(void) {
  int a, b, c;
  int d = second(a, b);
  if (second(a, c) == 77 && d == 78) reach_error();
  return 0;
}
