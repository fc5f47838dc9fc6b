/* by_value: unsafe
   guarded: safe
   truth: safe
   colour: unsafe
   none: unsafe
   none_safe: safe
   wide: unsafe
   old_style: unsafe */
extern void reach_error(void);

void by_value(int a, unsigned char b, long c) {
  if (a == -12345 && b == 200 && c == 1234567) reach_error();
}

void guarded(int a, int b) {
  if (a < 0 || b < 0 || a > 1000 || b > 1000) return;
  if (a + b < a) reach_error();
}

void truth(_Bool t) {
  if (t != 0 && t != 1) reach_error();
}

enum colour { RED, GREEN };

/* Any number of its type can be in an enumeration. */
void colour(enum colour c) {
  if (c != RED && c != GREEN) reach_error();
}

static int calls;

void none(void) {
  if (calls == 0) reach_error();
}

void none_safe(void) {
  if (calls != 0) reach_error();
}

void wide(unsigned long long x) {
  if (x >> 60 == 9) reach_error();
}

int old_style(a, p)
  int a;
  int *p;
{
  if (a == 3 && p && *p == 4) reach_error();
  return a;
}
