/* deposit: unsafe
   empty: safe
   visit: unsafe */
#include "account.h"

void deposit(struct account *a, int amount) {
  if (!a || amount <= 0 || amount > 100) return;
  int before = balance(a);
  if (before < 0) return;
  add(a, amount);
  if (balance(a) < before) reach_error();
}

/* The structure is defined in the other file only. */
void empty(struct account *a) {
  if (a && balance(a) != balance(a)) reach_error();
}

void visit(struct account *a, void (*each)(struct account *)) {
  if (!a || !each) return;
  add(a, 1);
  each(a);
  if (balance(a) == 0) reach_error();
}
