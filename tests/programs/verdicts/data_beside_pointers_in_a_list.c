// expect: safe
//
// Data that lies beside pointers is no pointer, wherever the program may write it.
#include "../attest.h"

struct list {
  struct list *next;
} waiting;
int other;
struct item {
  struct list link;
  int kind;
  int word;
} items[2];
struct queue {
  int open;
  struct list head;
  int *count;
} queue;
int count;

void put(struct item *item) {
  item->link.next = queue.head.next;
  queue.head.next = &item->link;
}

int main(void) {
  queue.head.next = &queue.head;
  queue.count = &count;
  if (__VERIFIER_nondet_int()) put(&items[0]);
  if (__VERIFIER_nondet_int()) put(&items[1]);
  if (queue.head.next == &queue.head) return 0;
  struct item *first = (struct item *)queue.head.next;
  first->kind = 3;
  first->word = 4;
  *queue.count += 1;
  if (other) reach_error();
  return 0;
}
