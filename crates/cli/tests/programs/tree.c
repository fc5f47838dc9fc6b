/* A binary search tree with deletion, walked in several orders, and a hash map beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree { int key, count; struct tree *side[2]; };

static void insert(struct tree **at, int key) {
  while (*at && (*at)->key != key)
    at = &(*at)->side[key > (*at)->key];
  if (!*at)
    (*at = calloc(1, sizeof **at))->key = key;
  (*at)->count++;
}
static int erase(struct tree **at, int key) {
  while (*at && (*at)->key != key)
    at = &(*at)->side[key > (*at)->key];
  struct tree *t = *at;
  if (!t)
    return 0;
  if (t->side[0] && t->side[1]) {
    struct tree **next = &t->side[1];
    while ((*next)->side[0])
      next = &(*next)->side[0];
    struct tree *n = *next;
    t->key = n->key;
    t->count = n->count;
    *next = n->side[1];
    free(n);
  } else {
    *at = t->side[0] ? t->side[0] : t->side[1];
    free(t);
  }
  return 1;
}
static int height(const struct tree *t) {
  if (!t)
    return 0;
  int a = height(t->side[0]), b = height(t->side[1]);
  return 1 + (a > b ? a : b);
}
static void in_order(const struct tree *t, void (*f)(const struct tree *, void *), void *data) {
  if (t) {
    in_order(t->side[0], f, data);
    f(t, data);
    in_order(t->side[1], f, data);
  }
}
static void print(const struct tree *t, void *data) { printf("%d*%d ", t->key, t->count); ++*(int *)data; }
static void drop(struct tree *t) {
  if (t) {
    drop(t->side[0]);
    drop(t->side[1]);
    free(t);
  }
}

struct entry { struct entry *next; int value; char key[]; };
struct map { size_t size; struct entry **slots; };
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 ^ (unsigned char)*s++; return h; }
static int *slot(struct map *m, const char *key) {
  struct entry **at = &m->slots[hash(key) % m->size];
  for (; *at; at = &(*at)->next)
    if (strcmp((*at)->key, key) == 0)
      return &(*at)->value;
  struct entry *e = malloc(sizeof *e + strlen(key) + 1);
  e->next = NULL;
  e->value = 0;
  strcpy(e->key, key);
  *at = e;
  return &e->value;
}

int main(void) {
  struct tree *t = NULL;
  unsigned x = 7;
  for (int i = 0; i < 60; i++) {
    x = x * 48271u % 2147483647u;
    insert(&t, (int)(x % 50));
  }
  int n = 0;
  in_order(t, print, &n);
  printf("\n%d nodes, height %d\n", n, height(t));
  int erased = 0;
  for (int i = 0; i < 50; i += 3)
    erased += erase(&t, i);
  n = 0;
  in_order(t, print, &n);
  printf("\n%d left, %d erased, height %d\n", n, erased, height(t));
  drop(t);

  struct map m = {7, calloc(7, sizeof(struct entry *))};
  const char *words[] = {"the", "cat", "sat", "on", "the", "mat", "and", "the", "dog", "on", "cat"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    ++*slot(&m, words[i]);
  for (size_t i = 0; i < m.size; i++)
    for (struct entry *e = m.slots[i], *next; e; e = next) {
      printf("%d %s=%d\n", (int)i, e->key, e->value);
      next = e->next;
      free(e);
    }
  free(m.slots);
  return height(NULL);
}
