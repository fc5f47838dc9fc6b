/* string.h, all through the library. Only the sign of a comparison is defined. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int n) { return (n > 0) - (n < 0); }
static const char *or_null(const char *s) { return s ? s : "(none)"; }

int main(void) {
  char a[64], b[64];
  const char *words[] = {"", "a", "ab", "abc", "abd", "b", "\xff", "Abc", "ABD"};
  int n = sizeof words / sizeof *words;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      printf("%2d%2d%2d%2d ", sign(strcmp(words[i], words[j])), sign(strncmp(words[i], words[j], 2)),
             sign(strcasecmp(words[i], words[j])), sign(strncasecmp(words[i], words[j], 2)));
    printf("\n");
  }
  strcpy(a, "hello");
  strcat(a, ", ");
  strncat(a, "world!!!", 5);
  printf("%s %d %d\n", a, (int)strlen(a), (int)strnlen(a, 4));
  memset(b, 'x', sizeof b);
  strncpy(b, "abc", 6);
  printf("%s %d %c %c\n", b, b[5], b[6], *stpcpy(b + 10, "stp"));
  printf("%s|%s|%s\n", or_null(strchr(a, 'o')), or_null(strrchr(a, 'o')), or_null(strchr(a, 'q')));
  printf("%d %d\n", *strchr(a, 0), (int)(strrchr(a, 0) - a));
  printf("%s|%s|%s|%s\n", or_null(strstr(a, "lo, w")), or_null(strstr(a, "")), or_null(strstr(a, "worldz")),
         or_null(strstr("aaab", "aab")));
  printf("%d %d %s\n", (int)strspn(a, "leh"), (int)strcspn(a, " ,"), or_null(strpbrk(a, "wxyz")));
  printf("%s %d\n", or_null(strchrnul(a, 'Z')), *strchrnul(a, 'Z'));
  char *d = strdup(a), *e = strndup(a, 3), *f = strndup("xy", 10);
  printf("%s %s %s\n", d, e, f);
  free(d);
  free(e);
  free(f);
  unsigned char m1[] = {1, 2, 0, 200, 5}, m2[] = {1, 2, 0, 100, 5};
  printf("%d %d %d\n", sign(memcmp(m1, m2, 5)), sign(memcmp(m1, m2, 3)), sign(memcmp(m2, m1, 4)));
  printf("%d %d %d\n", (int)((unsigned char *)memchr(m1, 200, 5) - m1), memchr(m1, 9, 5) == NULL,
         (int)((unsigned char *)memrchr(m1, 2, 5) - m1));
  printf("%d\n", (int)((char *)mempcpy(b, "12345", 3) - b));
  bzero(b, 4);
  printf("%d %d\n", b[0], bcmp(m1, m1, 5));
  bcopy("moved", b, 6);
  printf("%s\n", b);
  char list[] = ",,one,two;three,;,four";
  for (char *t = strtok(list, ",;"); t; t = strtok(NULL, ",;"))
    printf("[%s]", t);
  char path[] = "/usr//bin/", *rest, *save;
  printf("\n");
  for (char *t = strtok_r(path, "/", &save); t; t = strtok_r(NULL, "/", &save))
    printf("[%s]", t);
  char fields[] = "a::b:";
  rest = fields;
  for (char *t; (t = strsep(&rest, ":"));)
    printf("<%s>", t);
  printf("\n%d\n", sign(strcoll("abc", "abd")));
  printf("%s\n", (char *)memmem("a needle in", 11, "needle", 6));
  return 0;
}
