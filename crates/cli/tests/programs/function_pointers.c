/* Tables of functions, callbacks, functions that return functions. */
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int quo(int a, int b) { return b ? a / b : 0; }

typedef int (*binary)(int, int);
static const struct { char sign; binary apply; } operators[] = {
  {'+', add}, {'-', sub}, {'*', mul}, {'/', quo}};

static binary find(char sign) {
  for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].sign == sign)
      return operators[i].apply;
  return 0;
}

/* A function that returns a pointer to a function, without a typedef. */
static int (*choose(int which))(int, int) { return which & 1 ? add : mul; }

static int evaluate(const char *text) {
  int stack[16], top = 0;
  for (; *text; text++) {
    if (*text >= '0' && *text <= '9') {
      stack[top++] = *text - '0';
      continue;
    }
    binary f = find(*text);
    if (f) {
      int b = stack[--top], a = stack[--top];
      stack[top++] = f(a, b);
    }
  }
  return stack[0];
}

struct visitor { void (*visit)(struct visitor *, int); int total, count; };
static void sum_up(struct visitor *self, int n) { self->total += n; self->count++; }
static void largest(struct visitor *self, int n) {
  if (self->count++ == 0 || n > self->total)
    self->total = n;
}
static void walk(const int *data, int n, struct visitor *v) {
  for (int i = 0; i < n; i++)
    v->visit(v, data[i]);
}

static int twice(int (*f)(int), int x) { return f(f(x)); }
static int square(int x) { return x * x; }
static int next(int x) { return x + 1; }

typedef struct state (*step)(int);
struct state { step next; int value; };
static struct state even(int n);
static struct state odd(int n) { return (struct state){n > 40 ? 0 : even, n * 2}; }
static struct state even(int n) { return (struct state){odd, n + 3}; }

int main(void) {
  printf("%d %d %d\n", evaluate("34+5*"), evaluate("92/3-"), evaluate("12+34+*56+*"));
  printf("%d %d %d\n", choose(1)(3, 4), choose(2)(3, 4), (*choose(0))(5, 6));
  int data[] = {4, -7, 19, 3, 0, 12};
  struct visitor a = {sum_up, 0, 0}, b = {largest, 0, 0};
  walk(data, 6, &a);
  walk(data, 6, &b);
  printf("%d %d %d %d\n", a.total, a.count, b.total, b.count);
  int (*unary[])(int) = {square, next, square};
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum = sum * 31 + twice(unary[i], i + 2);
  printf("%d\n", sum);
  struct state s = {even, 1};
  while (s.next) {
    s = s.next(s.value);
    printf("%d%c", s.value, s.next == odd ? 'o' : s.next == even ? 'e' : '.');
  }
  putchar('\n');
  binary p = find('%'), q = find('+');
  printf("%d %d %d\n", p == 0, q == add, q != sub && !!q);
  return evaluate("67*");
}
