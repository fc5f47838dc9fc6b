/* A ring buffer, a binary heap, Dijkstra, union-find, an LRU cache, a bit set. */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ring { int data[8]; unsigned head, tail; };
static bool put(struct ring *r, int v) {
  if (r->tail - r->head == 8)
    return false;
  r->data[r->tail++ % 8] = v;
  return true;
}
static bool get(struct ring *r, int *v) { return r->head != r->tail && (*v = r->data[r->head++ % 8], true); }

struct entry { int key, node; };
struct heap { struct entry *at; int n; };
static void push(struct heap *h, struct entry e) {
  int i = h->n++;
  for (; i && h->at[(i - 1) / 2].key > e.key; i = (i - 1) / 2)
    h->at[i] = h->at[(i - 1) / 2];
  h->at[i] = e;
}
static struct entry pop(struct heap *h) {
  struct entry top = h->at[0], last = h->at[--h->n];
  int i = 0;
  for (int c; (c = 2 * i + 1) < h->n; i = c) {
    if (c + 1 < h->n && h->at[c + 1].key < h->at[c].key)
      c++;
    if (h->at[c].key >= last.key)
      break;
    h->at[i] = h->at[c];
  }
  h->at[i] = last;
  return top;
}
struct arc { int to, cost; struct arc *next; };
static void connect(struct arc **graph, int a, int b, int cost) {
  struct arc *x = malloc(sizeof *x);
  *x = (struct arc){b, cost, graph[a]};
  graph[a] = x;
}
static int parent[40];
static int root(int x) { return parent[x] == x ? x : (parent[x] = root(parent[x])); }

struct lru { int key; struct lru *next, *prev; };
static struct lru ends = {0, &ends, &ends}, slots[4];
static int used, hits;
static void touch(int key) {
  struct lru *l = ends.next;
  while (l != &ends && l->key != key)
    l = l->next;
  if (l != &ends)
    hits++;
  else
    l = used < 4 ? &slots[used++] : ends.prev;
  if (l->next) {
    l->next->prev = l->prev;
    l->prev->next = l->next;
  }
  l->key = key;
  l->next = ends.next;
  l->prev = &ends;
  ends.next->prev = l;
  ends.next = l;
}

int main(void) {
  struct ring r = {.head = UINT_MAX - 3, .tail = UINT_MAX - 3};
  int v, count = 0, total = 0;
  for (int i = 0; i < 50; i++) {
    count += put(&r, i * 3);
    if (i % 3 && get(&r, &v))
      total = total * 5 % 10007 + v;
  }
  while (get(&r, &v))
    total += v;
  printf("%d %d\n", count, total);

  struct arc *graph[30] = {0};
  for (int i = 0; i < 30; i++)
    for (int k = 1; k <= 3; k++)
      connect(graph, i, (i * 7 + k * 11) % 30, (i * 13 + k * 17) % 23 + 1);
  int distance[30];
  for (int i = 0; i < 30; i++)
    distance[i] = INT_MAX;
  struct heap h = {malloc(200 * sizeof(struct entry)), 0};
  distance[0] = 0;
  push(&h, (struct entry){0, 0});
  while (h.n) {
    struct entry e = pop(&h);
    if (e.key > distance[e.node])
      continue;
    for (struct arc *a = graph[e.node]; a; a = a->next)
      if (e.key + a->cost < distance[a->to])
        push(&h, (struct entry){distance[a->to] = e.key + a->cost, a->to});
  }
  for (int i = 0; i < 30; i++)
    printf("%d ", distance[i]);
  printf("\n");
  free(h.at);
  for (int i = 0; i < 40; i++)
    parent[i] = i;
  for (int i = 0; i < 40; i++)
    if (i % 4)
      parent[root(i)] = root(i * i % 40);
  int sets = 0;
  for (int i = 0; i < 40; i++)
    sets += root(i) == i;
  printf("%d sets\n", sets);
  for (int i = 0; i < 60; i++)
    touch(i * i % 7);
  for (struct lru *l = ends.next; l != &ends; l = l->next)
    printf("%d ", l->key);
  printf("%d hits\n", hits);
  uint64_t bits[4] = {0};
  for (int i = 0; i < 256; i += i / 3 + 1)
    bits[i / 64] |= UINT64_C(1) << i % 64;
  for (int i = 0; i < 4; i++)
    printf("%016llx ", (unsigned long long)bits[i]);
  printf("\n");
  for (int i = 0; i < 30; i++)
    for (struct arc *a = graph[i], *n; a; a = n) {
      n = a->next;
      free(a);
    }
  return sets;
}
