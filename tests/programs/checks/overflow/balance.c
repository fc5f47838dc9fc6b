// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 2147483647 1 1
//
// A sequence of bookings in an account.
#include "../input.h"
#include <limits.h>

enum booking { NOTHING, DEPOSIT, WITHDRAW };

int main(void) {
  int balance = 0;
  for (int i = 0; i < 2; i++) {
    int what = __VERIFIER_nondet_int(), amount = __VERIFIER_nondet_int();
    if (amount <= 0) continue;
    switch (what) {
    case DEPOSIT:
#ifndef WRONG
      if (amount > INT_MAX - balance) break;
#endif
      balance += amount; // violated(WRONG): overflow/overflow
      break;
    case WITHDRAW:
      if (amount <= balance) balance -= amount;
      break;
    default: break;
    }
  }
  return balance == 9;
}
