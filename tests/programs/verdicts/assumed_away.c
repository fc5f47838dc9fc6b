// expect: unsafe
// violated: memory/out-of-bounds at 17
//
// The only path to the error goes through an access outside its object that random runs do
// not reach: a proof that assumes it away would be about nothing.
#include "../attest.h"

struct port {
  int peer;
  int state;
};
int table[4];

int main(void) {
  struct port *p = calloc(1, sizeof *p);
  if (!p || __VERIFIER_nondet_uint() * 7 != 7 * 123456789u) return 0;
  table[p->peer + 4] = 1;
  if (p->state == 0) reach_error();
  return 0;
}
