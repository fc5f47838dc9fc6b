// expect: safe
//
// Data that lies beside pointers is no pointer, wherever the program may write it.
#include "../attest.h"

struct port {
  char name[6];
  int *level;
  void (*done)(void);
} port;
int level, other, ran;

void done(void) { ran = 1; }

int main(void) {
  port.level = &level;
  port.done = done;
  for (;;) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 5) break;
    port.name[i] = i;
  }
  *port.level = 1;
  port.done();
  if (other || !ran) reach_error();
  return 0;
}
