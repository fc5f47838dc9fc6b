// expect: unknown(how often and in which order)
// expect: unknown(how often and in which order)
// options: -- -DSEARCH
//
// C leaves open how often a comparison function is called, so no count is right.
#include <assert.h>
#include <stdlib.h>

static int calls;

static int compare(const void *left, const void *right) {
  calls++;
  return *(const int *)left - *(const int *)right;
}

int main(void) {
  int a[4] = {3, 1, 2, 0}, key = 2;
#ifdef SEARCH
  int *found = bsearch(&key, a, 4, sizeof *a, compare);
  assert(!found || calls <= 2);
#else
  qsort(a, 4, sizeof *a, compare);
  assert(calls == key + 4);
#endif
  return 0;
}
