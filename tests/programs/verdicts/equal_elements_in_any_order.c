// expect: unsafe
// expect: unsafe
// options: -- -DSEARCH
//
// Which of two equal elements comes first, and which of them is found, is open.
#include <assert.h>
#include <stdlib.h>

struct pair {
  int key, value;
};

static int compare(const void *left, const void *right) {
  int l = ((const struct pair *)left)->key, r = ((const struct pair *)right)->key;
  return (l > r) - (l < r);
}

int main(void) {
  struct pair a[3] = {{1, 0}, {1, 1}, {2, 2}}, key = {1, 0};
#ifdef SEARCH
  struct pair *found = bsearch(&key, a, 3, sizeof *a, compare);
  assert(found && found->value == 1);
#else
  qsort(a, 3, sizeof *a, compare);
  assert(a[2].value == key.value + 2);
  assert(a[0].value == 0);
#endif
  return 0;
}
