/* memcpy, overlapping memmove, memset over pages and over structures with pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int id; const char *name; double weight; };

static unsigned hash(const void *p, size_t n) {
  const unsigned char *b = p;
  unsigned h = 2166136261u;
  while (n--)
    h = (h ^ *b++) * 16777619u;
  return h;
}

int main(void) {
  static unsigned char big[20000];
  for (int i = 0; i < 20000; i++)
    big[i] = (unsigned char)(i * 7 + (i >> 8));
  printf("%u\n", hash(big, sizeof big));
  memmove(big + 100, big, 15000);
  printf("%u\n", hash(big, sizeof big));
  memmove(big, big + 4097, 9000);
  printf("%u\n", hash(big, sizeof big));
  memmove(big + 1, big, 4096);
  memmove(big + 4095, big + 4096, 4097);
  memset(big + 3000, 0xee, 5000);
  memcpy(big + 10000, big, 9999);
  printf("%u\n", hash(big, sizeof big));
  memmove(big + 5, big + 5, 100);
  memcpy(big, big + 50, 0);
  printf("%u\n", hash(big, sizeof big));

  struct item items[6] = {{1, "one", 1.5}, {2, "two", 2.5}, {3, "three", 3.5}};
  memmove(items + 2, items, 3 * sizeof *items);
  for (int i = 0; i < 5; i++)
    printf("%d %s %.1f; ", items[i].id, items[i].name, items[i].weight);
  printf("\n");
  struct item *heap = malloc(4 * sizeof *heap);
  memcpy(heap, items + 1, 4 * sizeof *heap);
  memset(&heap[1], 0, sizeof *heap);
  printf("%s %d %d %s\n", heap[0].name, heap[1].name == NULL, heap[1].weight == 0.0, heap[3].name);
  struct item copy = heap[2], *p = &copy;
  *p = *p;
  heap[0] = copy;
  printf("%d %s\n", heap[0].id, heap[0].name);
  char buffer[32];
  memset(buffer, '-', sizeof buffer);
  memcpy(buffer + 3, "abc", 3);
  buffer[31] = 0;
  printf("%s %d\n", buffer, memcmp(buffer, "---abd", 6) < 0);
  const char *names[4] = {"w", "x", "y", "z"};
  memmove(names + 1, names, 3 * sizeof *names);
  printf("%s%s%s%s\n", names[0], names[1], names[2], names[3]);
  memmove(names, names + 2, 2 * sizeof *names);
  printf("%s%s%s%s\n", names[0], names[1], names[2], names[3]);
  short shorts[10] = {1, 2, 3, 4, 5};
  memcpy(shorts + 5, shorts, 5 * sizeof *shorts);
  memset(shorts, -1, 3);
  printf("%d %d %d %d\n", shorts[0], shorts[1], shorts[5], shorts[9]);
  free(heap);
  return 0;
}
