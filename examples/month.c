/* What is read is anything: also a month that was never. */
#include <assert.h>
#include <stdio.h>

int main(void) {
  int month;
  if (scanf("%d", &month) != 1 || month > 12)
    return 1;
  assert(month >= 1);
  return 0;
}
