/* snprintf and sprintf against printf: flags, width, precision, cut output. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <string.h>

static int format(char *to, size_t room, const char *how, ...) {
  va_list args;
  va_start(args, how);
  int n = vsnprintf(to, room, how, args);
  va_end(args);
  return n;
}
static void say(const char *how, ...) {
  va_list args;
  va_start(args, how);
  vprintf(how, args);
  va_end(args);
}

#define BOTH(...) do { \
    char buffer[200]; \
    int n = snprintf(buffer, sizeof buffer, __VA_ARGS__); \
    int m = printf(__VA_ARGS__); \
    printf("|\n%s|%d %d\n", buffer, n, m); \
  } while (0)

int main(void) {
  int values[] = {0, 1, -1, 42, -12345, 2147483647, -2147483647 - 1};
  for (int i = 0; i < 7; i++) {
    int v = values[i];
    BOTH("%d %i %u %x %X %o", v, v, v, v, v, v);
    BOTH("[%5d][%-5d][%05d][%+d][% d][%.3d][%8.3d][%-8.3d][%+.0d]", v, v, v, v, v, v, v, v, v);
    BOTH("[%#x][%#X][%#o][%#8x][%-#8x][%#08x][%.5x][%#.5x][%3x]", v, v, v, v, v, v, v, v, v);
    BOTH("%hhd %hd %hhu %hu %hhx", (signed char)v, (short)v, (unsigned char)v, (unsigned short)v, (unsigned char)v);
    BOTH("%ld %lu %lld %llx %zu %zd %td", (long)v, (unsigned long)v, (long long)v * 100000, (long long)v,
         (size_t)v, (ssize_t)v, (ptrdiff_t)v);
    BOTH("[%*d][%-*d][%.*d][%*.*d]", 6, v, 6, v, 4, v, 9, 3, v);
    BOTH("[%*d][%.*d]", -6, v, -1, v);
  }
  BOTH("[%s][%10s][%-10s][%.2s][%8.3s][%-8.3s][%.0s][%.*s]", "abc", "abc", "abc", "abc", "abcdef", "abcdef", "zzz", 2, "xyz");
  BOTH("[%c][%3c][%-3c]%%[%5s]", 'a', 'b', 'c', "");
  BOTH("%p", (void *)0);
  char small[6];
  printf("%d ", snprintf(small, sizeof small, "%d-%s", 123, "abcdef"));
  printf("%s\n", small);
  printf("%d\n", snprintf(NULL, 0, "%s %d", "count me", 77));
  printf("%d ", format(small, 1, "%d", 5));
  printf("%d ", small[0]);
  printf("%d ", format(small, 6, "%c%c%s", 'o', 'k', "!"));
  printf("%s\n", small);
  char all[80], *at = all;
  for (int i = 0; i < 6; i++)
    at += sprintf(at, "%d,%s;", i * i, i & 1 ? "odd" : "even");
  printf("%s %d\n", all, (int)strlen(all));
  say("%s has %d of %ld, %5.2f%% %c\n", "say", 3, 4L, 75.0, 'x');
  return 0;
}
