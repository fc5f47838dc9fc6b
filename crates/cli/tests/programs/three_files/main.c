/* Several files with a header and an opaque type. */
#include "list.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
list *words(const char *text);
static void measure(void *item, void *data) {
  size_t *lengths = data;
  lengths[strlen(item)]++;
}
static void release(void *item, void *data) {
  printf("%s%c", (char *)item, *(int *)data ? ',' : '.');
  free(item);
}
int main(void) {
  list *l = words("It was the best of times, it was the worst of times; 42 it was!");
  size_t lengths[16] = {0};
  list_each(l, measure, lengths);
  for (int i = 0; i < 8; i++)
    printf("%d ", (int)lengths[i]);
  printf("\n%d %s %d %d\n", (int)list_length(l), (char *)list_at(l, 3), list_at(l, 99) == NULL, list_is_empty(l));
  int more = 1;
  list_each(l, release, &more);
  list_free(l);
  printf("\n");
  return 0;
}
