// expect: safe
// expect: unsafe
// options: -- -DWRONG
// natively: confirmed
// inputs: 1 1 1 1 1 1 1 1 1 1 1 1
//
// A ring buffer whose index wraps one too late.
#include "../input.h"

#define SIZE 4
struct ring {
  int items[SIZE];
};
static int *slots;
static unsigned head;

static void push(int value) {
  slots[head] = value; // violated(WRONG): memory/out-of-bounds
#ifdef WRONG
  if (head == SIZE) head = 0;
  else head++;
#else
  head++;
  if (head == SIZE) head = 0;
#endif
}

int main(void) {
  struct ring ring;
  slots = ring.items;
  for (int i = 0; i < 10; i++)
    if (__VERIFIER_nondet_bool()) push(i);
  return 0;
}
