/* Two files: shared globals, static names that clash, tentative and weak definitions. */
#include <stdio.h>

struct config { int level; const char *label; int (*transform)(int); };
extern struct config config;
extern int shared[], shared_length;
int tentative __attribute__((common));
int common_array[4] __attribute__((common));
static int hidden = 1;
static int helper(void) { return hidden++; }
int other_helper(int), chain(int (*)(int), int), weak_value(void);
__attribute__((weak)) int weak_value(void) { return 1; }
__attribute__((weak)) int weak_variable = 5;
int call_back(int n) { return n + 1000 + hidden; }

int main(void) {
  printf("%d %d %d\n", helper(), other_helper(3), helper());
  printf("%d %s %d\n", config.level, config.label, config.transform(6));
  config.level = 9;
  for (int i = 0; i < shared_length; i++)
    printf("%d ", shared[i] += i);
  printf("\n%d %d\n", other_helper(4), tentative);
  tentative = 8;
  common_array[2] = 6;
  printf("%d %d %d\n", chain(call_back, 2), weak_value(), weak_variable);
  return shared[1];
}
