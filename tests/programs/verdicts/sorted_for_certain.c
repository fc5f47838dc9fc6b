// expect: safe
//
// What a sort and a search always do.
#include <assert.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
  int l = *(const int *)left, r = *(const int *)right;
  return (l > r) - (l < r);
}

int main(void) {
  int a[4] = {3, 1, 2, 0}, key = 2, none = 9;
  qsort(a, 4, sizeof *a, compare);
  assert(a[0] == 0 && a[1] == 1 && a[2] == 2 && a[3] == 3);
  assert(bsearch(&key, a, 4, sizeof *a, compare) == a + 2);
  assert(!bsearch(&none, a, 4, sizeof *a, compare));
  return 0;
}
