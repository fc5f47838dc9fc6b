/* exit from deep inside nested calls. */
#include <stdio.h>
#include <stdlib.h>

static int cleanups;
static void leave(int code) {
  printf("leaving with %d after %d\n", code, cleanups);
  exit(code);
}
static int search(const int *v, int low, int high, int wanted) {
  if (low > high)
    leave(70 + wanted);
  int middle = (low + high) / 2;
  cleanups++;
  if (v[middle] == wanted)
    return middle;
  return v[middle] < wanted ? search(v, middle + 1, high, wanted) : search(v, low, middle - 1, wanted);
}
static void visit(int depth, void (*then)(int)) {
  printf("%d ", depth);
  if (depth == 4)
    then(depth);
  visit(depth + 1, then);
}
static void found(int n) {
  int v[] = {1, 3, 5, 7, 9, 11, 13};
  for (int i = 0; i < 20; i += n / 2 + 1)
    printf("%d ", search(v, 0, 6, i | 1));
}

int main(void) {
  printf("start\n");
  visit(0, found);
  printf("never\n");
  return 1;
}
