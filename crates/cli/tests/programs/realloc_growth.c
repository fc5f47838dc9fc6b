/* Growing arrays: realloc keeps contents, calloc zeroes, pointers inside survive the move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector { size_t length, room; long *items; };
static void add(struct vector *v, long item) {
  if (v->length == v->room) {
    v->room = v->room ? v->room * 2 : 1;
    v->items = realloc(v->items, v->room * sizeof *v->items);
  }
  v->items[v->length++] = item;
}

struct text { char *start; size_t length; };
static void append(struct text *t, const char *more) {
  size_t n = strlen(more);
  t->start = realloc(t->start, t->length + n + 1);
  memcpy(t->start + t->length, more, n + 1);
  t->length += n;
}

struct row { char **cells; int count; };

int main(void) {
  struct vector v = {0, 0, NULL};
  for (long i = 0; i < 1000; i++)
    add(&v, i * i % 97);
  long sum = 0;
  for (size_t i = 0; i < v.length; i++)
    sum = (sum * 7 + v.items[i]) % 1000003;
  printf("%ld %d\n", sum, (int)v.room);
  v.items = realloc(v.items, 10 * sizeof *v.items);
  for (int i = 0; i < 10; i++)
    printf("%ld ", v.items[i]);
  printf("\n");
  free(v.items);

  struct text t = {NULL, 0};
  for (int i = 0; i < 12; i++)
    append(&t, i % 3 == 0 ? "fizz" : i % 4 == 0 ? "buzz" : "-");
  printf("%s %d\n", t.start, (int)t.length);
  free(t.start);

  int *zeros = calloc(257, sizeof *zeros), any = 0;
  for (int i = 0; i < 257; i++)
    any |= zeros[i];
  printf("%d\n", any);
  free(zeros);

  struct row r = {NULL, 0};
  for (int i = 0; i < 9; i++) {
    r.cells = realloc(r.cells, (size_t)(r.count + 1) * sizeof *r.cells);
    r.cells[r.count] = malloc(4);
    memset(r.cells[r.count], 'a' + i, 3);
    r.cells[r.count++][3] = 0;
  }
  for (int i = r.count; i-- > 0;) {
    printf("%s ", r.cells[i]);
    free(r.cells[i]);
  }
  free(r.cells);
  void *nothing = NULL;
  free(nothing);
  printf("\n");
  return 0;
}
