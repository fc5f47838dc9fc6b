struct config { int level; const char *label; int (*transform)(int); };
static int hidden = 50;
static int helper(int x) { return x * hidden++; }
struct config config = {3, "from the other file", helper};
int shared[] = {10, 20, 30, 40};
int shared_length = sizeof shared / sizeof *shared;
int tentative = 77;
extern int common_array[4];
int weak_value(void) { return 2; }
int weak_variable = 6;
int other_helper(int n) { return helper(n) + config.level; }
int chain(int (*f)(int), int n) { return f(f(n)) + tentative + common_array[2]; }
