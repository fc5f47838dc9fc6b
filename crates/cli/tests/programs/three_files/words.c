#include "list.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
list *words(const char *text) {
  list *l = list_new();
  while (*text) {
    while (*text && !isalpha((unsigned char)*text))
      text++;
    const char *start = text;
    while (isalpha((unsigned char)*text))
      text++;
    if (text > start)
      list_add(l, strndup(start, (size_t)(text - start)));
  }
  return l;
}
