/* _Generic, typeof, statement expressions, enums, typedefs of all kinds, sizeof, odd declarators. */
#include <stdio.h>

#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, float: 4, double: 5, char *: 6, const char *: 7, \
                             _Bool: 8, short: 9, struct s: 10, int *: 11, default: 0)
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define SWAP(a, b) do { __typeof__(a) _t = a; a = b; b = _t; } while (0)
struct s { int v; };
typedef int row[3];
typedef row *rows;
typedef int (*op)(int);
typedef op (*chooser)(int);
typedef struct tree { struct tree *kids[2]; enum { LEAF = 4, NODE = LEAF << 2 } kind; } tree;
enum color { RED = -1, GREEN, BLUE = GREEN + 10, LAST = BLUE * 2 };
_Static_assert(sizeof(row) == 3 * sizeof(int), "a row");

static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }
static op choose(int n) { return n > 0 ? up : down; }
static int (*(*pick)(int))(int) = choose;
static int (*const table[])(int) = {up, down};
static int apply(int f(int), int a[static 2]) { return f(a[0]) * f(a[1]); }
static int sum_all(rows r, int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += r[i][j]; return s; }
static const char *color_name(enum color c) {
  switch (c) {
  case RED: return "red";
  case GREEN: return "green";
  case BLUE: return "blue";
  default: return "?";
  }
}

int main(void) {
  char text[] = "t";
  const char *ct = text;
  short sh = 1;
  struct s st = {1};
  int n = 3;
  _Bool b = n;
  printf("%d%d%d%d%d%d%d%d%d\n", KIND(1), KIND(1u), KIND(1L), KIND(1.f), KIND(1.), KIND(text), KIND(ct), KIND(b), KIND(sh));
  printf("%d%d%d%d\n", KIND(st), KIND(&n), KIND(sh + sh), KIND(1ull));
  printf("%d %.1f %ld\n", MAX(3, 4), MAX(2.5, 1), MAX(5L, n++));
  int x = 1, y = 2;
  double d = .5, e = 1.5;
  SWAP(x, y);
  SWAP(d, e);
  printf("%d %d %.1f %.1f %d\n", x, y, d, e, n);
  row two[2] = {{1, 2, 3}, {4, 5, 6}};
  chooser c = choose;
  printf("%d %d %d %d\n", sum_all(two, 2), pick(1)(10), c(-1)(10), (*(*c)(5))(6));
  printf("%d %d\n", apply(table[1], two[1]), (*table)(7));
  printf("%s %s %d %d\n", color_name(BLUE), color_name((enum color)-1), LAST, (enum color)20 == LAST);
  tree leaf = {{0}, LEAF}, node = {{&leaf, &leaf}, NODE};
  printf("%d %d %d\n", node.kids[1]->kind, node.kind, node.kids[0] == node.kids[1]);
  int k = ({ int t = 0; for (int i = 1; i <= 4; i++) t = t * 10 + i; t; });
  printf("%d %d\n", k, (int)(sizeof(struct { char c; short s; }) + sizeof(int[n]) / sizeof(int)));
  int i = 0;
  (void)sizeof(i++);
  printf("%d %d %d\n", i, i++ || i++, i && ++i);
  printf("%d %s %c\n", i ?: 9, &"offset"[3], "literal"[2]);
  printf("%s\n", "joined " "text" "\x41\102\t|");
  printf("%d %d\n", __LINE__ > 0, (int)sizeof __func__);
  int arr[] = {[0 ... 4] = 7, [2] = 1};
  printf("%d %d %d\n", arr[1], arr[2], (int)(sizeof arr / sizeof *arr));
  return KIND(x) + (b == 1);
}
