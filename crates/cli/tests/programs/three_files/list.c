#include "list.h"
#include <stdlib.h>
struct list { size_t length, room; void **items; };
list *list_new(void) { return calloc(1, sizeof(list)); }
void list_add(list *l, void *item) {
  if (l->length == l->room)
    l->items = realloc(l->items, (l->room = l->room * 2 + 1) * sizeof *l->items);
  l->items[l->length++] = item;
}
void *list_at(const list *l, size_t i) { return i < l->length ? l->items[i] : NULL; }
size_t list_length(const list *l) { return l->length; }
void list_each(list *l, visitor *visit, void *data) {
  for (size_t i = 0; i < l->length; i++)
    visit(l->items[i], data);
}
void list_free(list *l) {
  free(l->items);
  free(l);
}
