// expect: safe
//
// Data that lies beside pointers is no pointer, wherever the program may write it.
#include "../attest.h"

struct entry {
  int *cell;
  char tag[4];
} table[3];
int cells[3], other;

int main(void) {
  for (int i = 0; i < 3; i++) table[i].cell = &cells[i];
  int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (i < 0 || i > 2 || k < 0 || k > 3) return 0;
  table[i].tag[k] = k;
  *table[i].cell = k;
  if (other) reach_error();
  return 0;
}
