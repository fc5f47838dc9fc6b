/* What atexit was given runs at exit, the last first; what it adds meanwhile comes next. */
#include <stdio.h>
#include <stdlib.h>

static int count;

static void late(void) { printf("late %d\n", ++count); }
static void first(void) { printf("first %d\n", ++count); }
static void second(void) {
  printf("second %d\n", ++count);
  if (atexit(late) != 0)
    abort();
}
static void deep(int n) {
  if (n == 3) {
    atexit(second);
    exit(count + 9);
  }
  atexit(first);
  deep(n + 1);
}

int main(void) {
  atexit(first);
  deep(0);
  printf("never\n");
  return 0;
}
