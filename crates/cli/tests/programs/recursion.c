/* Recursion: Ackermann, mutual, deep, many at once, through pointers to locals. */
#include <stdio.h>

static unsigned calls;
static unsigned ackermann(unsigned m, unsigned n) {
  calls++;
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static long depth(int n, const long *below) {
  long here = n + (below ? *below % 1009 : 0);
  return n == 0 ? here : depth(n - 1, &here) + 1;
}
static void hanoi(int n, int from, int to, int via, unsigned *moves, unsigned *hash) {
  if (n == 0)
    return;
  hanoi(n - 1, from, via, to, moves, hash);
  ++*moves;
  *hash = *hash * 31 + (unsigned)(from * 3 + to);
  hanoi(n - 1, via, to, from, moves, hash);
}
static int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == n)
    return 1;
  int found = 0;
  for (int c = 0; c < n; c++) {
    unsigned bit = 1u << c;
    if (columns & bit || left & bit || right & bit)
      continue;
    found += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return found;
}
static void permute(char *text, int at, int n, int *count) {
  if (at == n) {
    if (++*count % 20 == 1)
      printf("%s ", text);
    return;
  }
  for (int i = at; i < n; i++) {
    char c = text[at];
    text[at] = text[i];
    text[i] = c;
    permute(text, at + 1, n, count);
    text[i] = text[at];
    text[at] = c;
  }
}
static int hofstadter(int n) { return n < 3 ? 1 : hofstadter(n - hofstadter(n - 1)) + hofstadter(n - hofstadter(n - 2)); }

int main(void) {
  unsigned a = ackermann(2, 6), b = calls;
  printf("%u after %u\n", a, b);
  printf("%u\n", ackermann(3, 4));
  printf("%d %d\n", is_even(3000), is_odd(2999));
  printf("%ld\n", depth(5000, NULL));
  unsigned moves = 0, hash = 1;
  hanoi(10, 0, 2, 1, &moves, &hash);
  printf("%u %u\n", moves, hash);
  printf("%d\n", queens(6, 0, 0, 0, 0));
  char text[] = "abcde";
  int count = 0;
  permute(text, 0, 5, &count);
  printf("%d\n", count);
  printf("%d\n", hofstadter(18));
  return (int)a;
}
