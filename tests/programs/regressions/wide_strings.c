// expect: unknown(unusual conversion)
//
// Wide strings are not narrow ones.
#include "../attest.h"

int main(void) {
  char b[8];
  if (snprintf(b, 8, "%ls", L"abc") != 3) reach_error();
  return 0;
}
