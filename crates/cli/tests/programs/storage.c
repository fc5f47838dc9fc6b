/* Static locals, extern inside functions, thread-local, volatile, const, shadowing, inline, weak. */
#include <stdio.h>

static int calls;
_Thread_local int per_thread = 3;
static __thread int other[4] = {1, 2};
volatile int port = 1;
static volatile unsigned char registers[4];
const int limit = 9;
__attribute__((weak)) int optional(int x) { return x + 1; }
extern int later;
static inline int clamp(int x) { return x > limit ? limit : x; }
inline int external_inline(int x) { return x * 2; }
extern inline int external_inline(int x);
static int alias_target(int x) { return x - 100; }
extern int aliased(int) __attribute__((alias("alias_target")));

static int next(void) {
  static int state = 41;
  static int *last;
  calls++;
  int changed = last ? *last : -1;
  last = &state;
  return ++state * 1000 + changed;
}
static const char *name(int n) {
  static char buffer[2][8];
  static unsigned turn;
  char *b = buffer[turn++ & 1];
  b[0] = (char)('a' + n);
  b[1] = 0;
  return b;
}
static int generations(int n) {
  static int deepest;
  int here = n;
  if (n > deepest)
    deepest = n;
  if (n < 5)
    generations(n + 1);
  return deepest * 10 + here;
}
static int *address(int which) {
  static int a = 1, b = 2;
  return which ? &a : &b;
}
__attribute__((noinline)) static int poll(void) {
  int seen = 0;
  for (int i = 0; i < 5; i++) {
    port = port * 2 + i;
    seen += port;
    registers[i & 3] ^= (unsigned char)(seen & 0xff);
  }
  return seen;
}

int main(void) {
  printf("%d ", next());
  printf("%d ", next());
  printf("%d\n", next());
  printf("%s%s %d\n", name(1), name(2), generations(2));
  *address(1) += 10;
  *address(0) *= 10;
  printf("%d %d\n", *address(1), *address(0));
  per_thread += other[1];
  other[3] = per_thread;
  printf("%d %d\n", per_thread, other[3]);
  printf("%d %d %d\n", poll(), registers[2], port);
  printf("%d %d %d\n", clamp(4), clamp(40), external_inline(21));
  printf("%d %d\n", optional(5), aliased(7));
  extern int later;
  later += 5;
  int x = 1;
  {
    int x = 2;
    {
      extern int later;
      x += later;
    }
    printf("%d ", x);
  }
  for (int x = 10; x < 12; x++)
    printf("%d ", x);
  printf("%d %d\n", x, calls);
  const int *pc = &limit;
  int *const cp = &x;
  *cp = *pc;
  register int r = x;
  printf("%d %d\n", x, r);
  return later;
}
int later = 37;
