/* abort after output: the status is that of a signal. */
#include <stdio.h>
#include <stdlib.h>

static int depth(int n) {
  if (n == 12)
    abort();
  return depth(n + 1) + 1;
}

int main(void) {
  printf("before\n");
  fflush(stdout);
  return depth(0);
}
