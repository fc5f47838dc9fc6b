// expect: safe
//
// A number from the environment that is kept as a pointer and never followed is no reason to
// leave the model.
#include "../attest.h"

struct port {
  void *user;
  int state;
} port;

int main(void) {
  unsigned long arg = __VERIFIER_nondet_ulong();
  port.state = 1;
  port.user = (void *)(arg + 8);
  if (port.state != 1 || port.user != (void *)(arg + 8)) reach_error();
  return 0;
}
