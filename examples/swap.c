/* verdict with --entry swap: unsafe (a and b may point to the same int) */
extern void reach_error(void);

void swap(int *a, int *b) {
  if (!a || !b) return;
  int x = *a + 1, y = *b;
  *a = y;
  *b = x;
  if (*a != y) reach_error();
}
