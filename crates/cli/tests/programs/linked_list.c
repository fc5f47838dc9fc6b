/* Lists on the heap: build, reverse, merge sort, remove, free. */
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    exit(99);
  n->value = value;
  n->next = list;
  return n;
}
static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list) {
    struct node *rest = list->next;
    list->next = done;
    done = list;
    list = rest;
  }
  return done;
}
static struct node *merge(struct node *a, struct node *b) {
  struct node head, *tail = &head;
  while (a && b) {
    struct node **least = a->value <= b->value ? &a : &b;
    tail->next = *least;
    tail = *least;
    *least = (*least)->next;
  }
  tail->next = a ? a : b;
  return head.next;
}
static struct node *sort(struct node *list) {
  if (!list || !list->next)
    return list;
  struct node *slow = list, *fast = list->next;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
  }
  struct node *half = slow->next;
  slow->next = NULL;
  return merge(sort(list), sort(half));
}
static void remove_if(struct node **at, int (*bad)(int)) {
  while (*at) {
    struct node *n = *at;
    if (bad(n->value)) {
      *at = n->next;
      free(n);
    } else {
      at = &n->next;
    }
  }
}
static int is_odd(int n) { return n & 1; }
static void show(const char *what, const struct node *n) {
  printf("%s:", what);
  for (; n; n = n->next)
    printf(" %d", n->value);
  printf("\n");
}

int main(void) {
  struct node *list = NULL;
  unsigned seed = 12345;
  for (int i = 0; i < 40; i++) {
    seed = seed * 1103515245u + 12345u;
    list = push(list, (int)(seed >> 16) % 1000 - 500);
  }
  show("built", list);
  list = reverse(list);
  show("reversed", list);
  list = sort(list);
  show("sorted", list);
  remove_if(&list, is_odd);
  show("even", list);
  unsigned sum = 0;
  while (list) {
    struct node *n = list;
    sum = sum * 33 + (unsigned)n->value;
    list = n->next;
    free(n);
  }
  printf("%u\n", sum);
  return (int)(sum % 200);
}
