/* Cellular automata and flood fill on grids, with double buffering. */
#include <stdio.h>
#include <string.h>

enum { W = 16, H = 12 };
typedef unsigned char grid[H][W];

static int neighbours(grid g, int y, int x) {
  int n = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dy || dx)
        n += g[(y + dy + H) % H][(x + dx + W) % W];
  return n;
}
static void step(grid from, grid to) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int n = neighbours(from, y, x);
      to[y][x] = n == 3 || (n == 2 && from[y][x]);
    }
}
static int fill(grid g, int y, int x, unsigned char from, unsigned char to) {
  if (y < 0 || x < 0 || y >= H || x >= W || g[y][x] != from)
    return 0;
  g[y][x] = to;
  return 1 + fill(g, y - 1, x, from, to) + fill(g, y + 1, x, from, to) + fill(g, y, x - 1, from, to) + fill(g, y, x + 1, from, to);
}

int main(void) {
  grid pages[2] = {{{0}}};
  static const char *glider[] = {".#.", "..#", "###"};
  for (int y = 0; y < 3; y++)
    for (int x = 0; x < 3; x++)
      pages[0][y][x] = glider[y][x] == '#';
  memset(&pages[0][6][5], 1, 5);
  int now = 0;
  for (int t = 0; t < 12; t++, now ^= 1)
    step(pages[now], pages[!now]);
  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++)
      putchar(pages[now][y][x] ? '#' : '.');
    putchar('\n');
  }
  printf("%d %d\n", fill(pages[now], 0, 0, pages[now][0][0], 7), fill(pages[now], 5, 5, 0, 9));
  unsigned rule = 110, row = 1u << 31, h = 0;
  for (int t = 0; t < 32; t++) {
    unsigned next = 0;
    for (int i = 0; i < 32; i++) {
      unsigned three = (row >> ((i + 1) & 31) & 1) << 2 | (row >> i & 1) << 1 | (row >> ((i + 31) & 31) & 1);
      next |= (rule >> three & 1) << i;
    }
    row = next;
    h = h * 31 ^ row;
  }
  printf("%08x %08x\n", row, h);
  return 0;
}
