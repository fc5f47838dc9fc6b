/* Every class of every character, by the header's macros and by the functions behind them. */
#include <ctype.h>
#include <stdio.h>

static unsigned classes(int c) {
  return !!isalpha(c) | !!isdigit(c) << 1 | !!isalnum(c) << 2 | !!isupper(c) << 3 | !!islower(c) << 4
       | !!isspace(c) << 5 | !!isblank(c) << 6 | !!isprint(c) << 7 | !!isgraph(c) << 8
       | !!ispunct(c) << 9 | !!iscntrl(c) << 10 | !!isxdigit(c) << 11;
}
static unsigned by_function(int c) {
  return !!(isalpha)(c) | !!(isdigit)(c) << 1 | !!(isalnum)(c) << 2 | !!(isupper)(c) << 3
       | !!(islower)(c) << 4 | !!(isspace)(c) << 5 | !!(isblank)(c) << 6 | !!(isprint)(c) << 7
       | !!(isgraph)(c) << 8 | !!(ispunct)(c) << 9 | !!(iscntrl)(c) << 10 | !!(isxdigit)(c) << 11;
}

int main(void) {
  unsigned sum = 0;
  for (int c = -1; c < 256; c++) {
    unsigned k = classes(c);
    if (k != by_function(c))
      printf("differ at %d\n", c);
    sum = sum * 31 + k;
    if (c % 16 == 0)
      printf("\n%3d:", c);
    printf(" %x/%d/%d", k, tolower(c), toupper(c));
  }
  printf("\n%u %d %d\n", sum, isascii(200), toascii(200));
  char text[] = "Hello, World 42!";
  for (char *p = text; *p; p++)
    *p = (char)(isupper((unsigned char)*p) ? tolower(*p) : toupper(*p));
  printf("%s %d %d\n", text, (toupper)('q'), (tolower)('Q'));
  return 0;
}
