/* Arrays of arrays, variable length arrays, alloca, pointers to arrays, negative indices. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int cube[3][4][5];
static const char grid[][6] = {"abcde", "fghij", "klmno"};

static int trace(int n, int m[n][n]) {
  int t = 0;
  for (int i = 0; i < n; i++)
    t += m[i][i] * (i + 1);
  return t;
}
static void multiply(int n, int a[n][n], int b[n][n], int out[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      out[i][j] = 0;
      for (int k = 0; k < n; k++)
        out[i][j] += a[i][k] * b[k][j];
    }
}
static int vla(int n) {
  int total = 0;
  for (int round = 1; round <= 3; round++) {
    int row[n * round];
    for (int i = 0; i < n * round; i++)
      row[i] = i * round;
    total += row[n * round - 1] + (int)(sizeof row / sizeof *row);
  }
  return total;
}
static char *join(char *to, int n, ...) {
  char *parts[8];
  for (int i = 0; i < n; i++) {
    parts[i] = alloca(8);
    memset(parts[i], 'a' + i, (size_t)i + 1);
    parts[i][i + 1] = 0;
  }
  *to = 0;
  for (int i = n; i-- > 0;)
    strcat(to, parts[i]);
  return to;
}
static int sum_row(const int (*row)[5]) { int s = 0; for (int i = 0; i < 5; i++) s += (*row)[i]; return s; }

int main(void) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 5; k++)
        cube[i][j][k] = i * 100 + j * 10 + k;
  int *flat = &cube[0][0][0];
  printf("%d %d %d\n", flat[59], cube[2][0][3], sum_row(&cube[1][2]));
  int(*plane)[4][5] = cube + 1;
  printf("%d %d %d\n", (*plane)[3][4], plane[1][0][0], plane[-1][2][1]);
  printf("%c%c%c %d\n", grid[1][2], *(grid[2] + 1), 2 [grid][4], (int)sizeof grid);
  int n = 4;
  int a[n][n], b[n][n], c[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = i + j;
      b[i][j] = i * j - 1;
    }
  multiply(n, a, b, c);
  printf("%d %d %d %d\n", trace(n, c), c[3][2], (int)(sizeof c / sizeof c[0]), (int)(sizeof c[0] / sizeof(int)));
  printf("%d\n", vla(5));
  char buffer[64];
  printf("%s\n", join(buffer, 4));
  int line[10];
  for (int i = 0; i < 10; i++)
    line[i] = i * i;
  int *middle = line + 5, *end = line + 10;
  printf("%d %d %d\n", middle[-2], (-1)[end], (int)(end - middle));
  for (int *p = end; p-- > line;)
    printf("%d ", *p);
  printf("\n");
  int *rows[3] = {line, line + 3, line + 6}, **pp = rows;
  printf("%d %d %d %d\n", pp[1][2], *pp[2], **++pp, *(*(pp + 1) - 1));
  char copy[3][6];
  memcpy(copy, grid, sizeof copy);
  memmove(copy[1], copy[0], 6);
  printf("%s %s %s\n", copy[0], copy[1], copy[2]);
  return 0;
}
