/* Globals and locals with complicated initialisers. */
#include <stddef.h>
#include <stdio.h>

struct point { int x, y; };
struct shape { const char *name; struct point corner[3]; const struct shape *parent; int (*area)(const struct shape *); };
static int box(const struct shape *s) { return (s->corner[1].x - s->corner[0].x) * (s->corner[1].y - s->corner[0].y); }
static int none(const struct shape *s) { return s->parent ? s->parent->area(s->parent) : -1; }

static int numbers[10] = {[3] = 33, 44, [1] = 11, [8] = 88};
static int *into = &numbers[4], *before = numbers + 9 - 5, *const fixed = &numbers[0] + 1;
static int **through = &into;
static char text[] = "with\0zero", *pointer = "literal" + 3, fours[4] = "four";
static const struct shape shapes[] = {
  {"root", {{0, 0}, {4, 5}}, NULL, box},
  {.parent = &shapes[0], .name = "child", .area = none},
  {"last", {[2] = {7, 8}, [0].y = 9}, shapes + 1, none},
};
static const struct { const char *key; int *where; size_t offset; } table[] = {
  {"a", &numbers[3], offsetof(struct shape, corner)}, {"b", numbers + 8, offsetof(struct shape, parent)}};
struct flexible { int n; short v[]; };
static struct flexible flex = {3, {5, 6, 7}};
static long difference = (char *)&((struct point *)0)->y - (char *)0;
static unsigned folded = sizeof(struct point) * 3 + (1 ? 'a' : 'b') + ~0u / 2;
static double ratio = 1.0 / 3 + 2;
static float small = 1e-3f;
static struct point *compound = &(struct point){12, 34};
static int *list = (int[]){9, 8, 7, 0};
static union { char c[8]; int i; } either = {.i = 0x41424344};
int tentative;
int tentative;
int tentative = 17;
static int uninitialised[5];
static _Bool yes = 5;
static unsigned char wrapped = (unsigned char)-1;
static int (*const calls[2][2])(const struct shape *) = {{box, none}, {[1] = box}};

static int counter(void) { static int n = 100; return n++; }

int main(void) {
  for (int i = 0; i < 10; i++)
    printf("%d ", numbers[i]);
  printf("\n%d %d %d %d\n", *into, *before, *fixed, **through);
  printf("%s %s %d %c%c%c%c\n", text, pointer, (int)sizeof text, fours[0], fours[1], fours[2], fours[3]);
  for (int i = 0; i < 3; i++)
    printf("%s %d %d %d\n", shapes[i].name, shapes[i].area(&shapes[i]), shapes[i].corner[2].y, shapes[i].corner[0].y);
  printf("%s %d %d\n", table[1].key, *table[0].where + *table[1].where, table[0].offset < table[1].offset);
  printf("%d %d %d %ld %u\n", flex.n, flex.v[0], flex.v[2], difference, folded);
  printf("%.6f %.6f %d %d %d\n", ratio, small, compound->x, compound->y, list[2]);
  printf("%c%c %d %d %d %d\n", either.c[0], either.c[3], tentative, uninitialised[4], yes, wrapped);
  printf("%d %d\n", calls[0][0] == calls[1][1], calls[1][0] == NULL);
  struct point p = {.y = 3}, q[] = {p, {1}, [4] = {.x = 5}};
  struct shape s = {.corner = {[1] = {p.y, counter()}, [2] = {counter()}}};
  printf("%d %d %d %d\n", p.x, q[1].x + q[4].x, (int)(sizeof q / sizeof *q), s.corner[1].y + s.corner[2].x);
  int local[3][2] = {{1}, 2, 3, {4}};
  printf("%d %d %d %d %d\n", local[0][0], local[0][1], local[1][0], local[1][1], local[2][0]);
  struct point *c = &(struct point){counter(), 6};
  c->x += ((struct point){10, 20}).y;
  printf("%d %d\n", c->x, ((int[]){1, 2, 3})[2]);
  char word[8] = "hi";
  printf("%d %d %s\n", word[2], word[7], word);
  for (int i = 0; i < 3; i++) {
    int fresh[4] = {i};
    fresh[3] += i + 1;
    printf("%d%d ", fresh[0], fresh[3]);
  }
  printf("\n");
  return 0;
}
