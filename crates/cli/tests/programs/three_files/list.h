#ifndef LIST_H
#define LIST_H
#include <stddef.h>
typedef struct list list;
typedef void visitor(void *item, void *data);
list *list_new(void);
void list_add(list *, void *);
void *list_at(const list *, size_t);
size_t list_length(const list *);
void list_each(list *, visitor *, void *data);
void list_free(list *);
static inline int list_is_empty(const list *l) { return list_length(l) == 0; }
#endif
