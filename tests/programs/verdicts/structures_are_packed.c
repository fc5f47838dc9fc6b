// expect: safe
// options: -- -fpack-struct
// expect: unsafe
#include "../attest.h"

struct pair { char c; int n; } all[2];

int main(void) {
  unsigned char *bytes = (unsigned char *)all;
  all[1].n = 7;
  if (bytes[6] != 7) reach_error();
  return 0;
}
