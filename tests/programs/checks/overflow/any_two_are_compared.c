// expect: unsafe
// natively: confirmed
//
// No element but the first is far from its neighbours; a sort may compare it with the last.
#include <limits.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right; // violated: overflow/overflow
}

int main(void) {
  int a[3] = {INT_MIN, -1, 5};
  qsort(a, 3, sizeof *a, compare);
  return 0;
}
