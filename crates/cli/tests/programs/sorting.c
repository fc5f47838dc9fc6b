/* qsort and bsearch with several element types, and sorts written out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
struct person { char name[9]; short age; const char *town; };
static int by_age(const void *a, const void *b) {
  return ((const struct person *)a)->age - ((const struct person *)b)->age;
}
static void heap_sort(int *v, int n) {
  for (int start = n / 2, end = n; end > 1;) {
    if (start > 0)
      start--;
    else {
      int t = v[--end];
      v[end] = v[0];
      v[0] = t;
    }
    for (int root = start, child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && v[child] < v[child + 1])
        child++;
      if (v[root] >= v[child])
        break;
      int t = v[root];
      v[root] = v[child];
      v[child] = t;
    }
  }
}
static void quick_sort(int *low, int *high) {
  if (high - low < 2)
    return;
  int pivot = low[(high - low) / 2], *i = low, *j = high - 1;
  while (i <= j) {
    while (*i < pivot)
      i++;
    while (*j > pivot)
      j--;
    if (i <= j) {
      int t = *i;
      *i++ = *j;
      *j-- = t;
    }
  }
  quick_sort(low, j + 1);
  quick_sort(i, high);
}

int main(void) {
  int v[100], w[100], x[100];
  unsigned seed = 99;
  for (int i = 0; i < 100; i++) {
    seed = seed * 1664525u + 1013904223u;
    v[i] = w[i] = x[i] = (int)(seed >> 8) % 5000;
  }
  qsort(v, 100, sizeof *v, by_int);
  heap_sort(w, 100);
  quick_sort(x, x + 100);
  printf("%d %d\n", memcmp(v, w, sizeof v), memcmp(v, x, sizeof v));
  for (int i = 0; i < 100; i += 9)
    printf("%d ", v[i]);
  int key = v[57], none = -3;
  int *found = bsearch(&key, v, 100, sizeof *v, by_int);
  printf("%d %d\n", *found == key, bsearch(&none, v, 100, sizeof *v, by_int) == NULL);
  const char *words[] = {"pear", "apple", "fig", "", "banana", "Apple", "figs"};
  qsort(words, 7, sizeof *words, by_text);
  for (int i = 0; i < 7; i++)
    printf("<%s>", words[i]);
  printf("\n");
  struct person people[] = {{"ann", 40, "Ghent"}, {"bob", 7, "Oslo"}, {"cy", 93, "Rome"}, {"di", 28, "Bern"}};
  qsort(people, 4, sizeof *people, by_age);
  for (int i = 0; i < 4; i++)
    printf("%s %d %s; ", people[i].name, people[i].age, people[i].town);
  printf("\n");
  return 0;
}
