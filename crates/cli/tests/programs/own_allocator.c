/* An allocator over a static array: headers, splitting, coalescing, free lists through casts. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct block { size_t size; int used; struct block *next, *prev; };
static union { max_align_t align; unsigned char bytes[4096]; } arena;
static struct block *first;

static void start(void) {
  first = (struct block *)arena.bytes;
  *first = (struct block){sizeof arena.bytes - sizeof(struct block), 0, NULL, NULL};
}
static void *take(size_t n) {
  n = (n + 15) & ~(size_t)15;
  for (struct block *b = first; b; b = b->next) {
    if (b->used || b->size < n)
      continue;
    if (b->size >= n + sizeof *b + 16) {
      struct block *rest = (struct block *)((unsigned char *)(b + 1) + n);
      rest->size = b->size - n - sizeof *b;
      rest->used = 0;
      rest->next = b->next;
      rest->prev = b;
      if (b->next)
        b->next->prev = rest;
      b->next = rest;
      b->size = n;
    }
    b->used = 1;
    return b + 1;
  }
  return NULL;
}
static void join(struct block *b) {
  struct block *n = b->next;
  if (n && !n->used && !b->used) {
    b->size += sizeof *n + n->size;
    b->next = n->next;
    if (n->next)
      n->next->prev = b;
  }
}
static void give(void *p) {
  if (!p)
    return;
  struct block *b = (struct block *)p - 1;
  b->used = 0;
  join(b);
  if (b->prev)
    join(b->prev);
}
static void stats(const char *when) {
  int used = 0, unused = 0;
  for (struct block *b = first; b; b = b->next)
    b->used ? used++ : unused++;
  printf("%s: %d used, %d free\n", when, used, unused);
}

struct cell { struct cell *next; char name[10]; };

int main(void) {
  start();
  void *p[12];
  for (int i = 0; i < 12; i++) {
    p[i] = take((size_t)(i * 13 % 60 + 1));
    memset(p[i], i, (size_t)(i * 13 % 60 + 1));
  }
  stats("taken");
  for (int i = 0; i < 12; i += 2)
    give(p[i]);
  stats("half given");
  struct cell *list = NULL;
  for (int i = 0; i < 8; i++) {
    struct cell *c = take(sizeof *c);
    c->next = list;
    sprintf(c->name, "cell%d", i * i);
    list = c;
  }
  for (struct cell *c = list; c; c = c->next)
    printf("%s ", c->name);
  printf("\n");
  for (int i = 1; i < 12; i += 2) {
    unsigned char *b = p[i];
    printf("%d ", b[0]);
    give(b);
  }
  while (list) {
    struct cell *n = list->next;
    give(list);
    list = n;
  }
  stats("\nall given");
  printf("%d %d\n", take(1 << 20) == NULL, (int)((uintptr_t)take(1) % 8));
  return 0;
}
