/* goto into and out of loops, computed goto, switches with fallthrough, Duff's device, nested breaks. */
#include <stdio.h>

static int duff(char *to, const char *from, int count) {
  int n = (count + 7) / 8, turns = 0;
  switch (count % 8) {
  case 0: do { turns++; *to++ = *from++;
  case 7:      *to++ = *from++;
  case 6:      *to++ = *from++;
  case 5:      *to++ = *from++;
  case 4:      *to++ = *from++;
  case 3:      *to++ = *from++;
  case 2:      *to++ = *from++;
  case 1:      *to++ = *from++;
          } while (--n > 0);
  }
  return turns;
}
static int machine(const char *program) {
  static const void *const actions[] = {&&push, &&add, &&multiply, &&duplicate, &&stop, &&jump};
  int stack[16], top = 0, steps = 0;
#define NEXT steps++; goto *actions[*program++ - '0']
  NEXT;
push: stack[top++] = *program++ - 'a'; NEXT;
add: top--; stack[top - 1] += stack[top]; NEXT;
multiply: top--; stack[top - 1] *= stack[top]; NEXT;
duplicate: stack[top] = stack[top - 1]; top++; NEXT;
jump: program += *program - 'a'; NEXT;
stop: return stack[top - 1] * 100 + steps;
}
static int into_loop(int start) {
  int i = start, total = 0;
  if (start > 3)
    goto inside;
  for (i = 0; i < 6; i++) {
    total += 10;
  inside:
    total += i;
    if (total > 70)
      goto out;
  }
out:
  return total * 10 + i;
}
static int nested(int limit) {
  int found = 0;
  for (int i = 0; i < 10; i++) {
    for (int j = 0; j < 10; j++) {
      if (j == 5)
        break;
      if ((i + j) % 3 == 0)
        continue;
      int k = 0;
      while (1) {
        if (++k > i)
          break;
        if (k * j == limit)
          goto done;
        found++;
      }
    }
  }
  return -found;
done:
  return found;
}
static const char *classify(long long n) {
  switch (n) {
  case -5000000000LL: return "far below";
  case -3 ... -1: return "below";
  case 0: return "zero";
  case 'a': case 'b': return "letter";
  case 5000000000LL: return "far above";
  default: if (n & 1) { case 8: return "odd or eight"; }
  }
  return "other";
}
static int fall(int n) {
  int r = 0;
  switch (n) {
  case 3: r += 1000;
  case 2: r += 100; break;
  default: r += 7;
  case 1: r += 10;
  }
  return r;
}
static unsigned collatz(unsigned n) {
  unsigned steps = 0;
again:
  if (n == 1)
    return steps;
  n = n % 2 ? 3 * n + 1 : n / 2;
  steps++;
  goto again;
}

int main(void) {
  char to[40] = {0};
  const char *from = "the quick brown fox jumps over";
  for (int n = 1; n < 30; n += 6) {
    int turns = duff(to, from, n);
    to[n] = 0;
    printf("%d %s\n", turns, to);
  }
  printf("%d %d\n", machine("0d310c24"), machine("0b0c15dxx30e14"));
  for (int i = 0; i < 8; i++)
    printf("%d ", into_loop(i));
  printf("\n%d %d %d\n", nested(6), nested(11), nested(8));
  long long all[] = {-5000000000LL, -4, -3, -1, 0, 1, 2, 8, 97, 98, 5000000000LL, 705032704};
  for (int i = 0; i < 12; i++)
    printf("%s; ", classify(all[i]));
  printf("\n%d %d %d %d %u\n", fall(0), fall(1), fall(2), fall(3), collatz(27));
  int i = 0, j = 10;
  do {
    if (i == 3)
      continue;
    j += i;
  } while (++i < 6 && j < 30);
  for (;;) {
    if (i-- == 0)
      break;
  }
  printf("%d %d %d\n", i, j, (i++, j--, i + j));
  return i > 0 ? 1 : 2;
}
