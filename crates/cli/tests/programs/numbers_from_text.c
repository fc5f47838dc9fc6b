/* strtol and its family, atoi, errno, and what stays unread. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void try(const char *text, int base) {
  char *end = NULL;
  errno = 0;
  long a = strtol(text, &end, base);
  int error = errno;
  int used = (int)(end - text);
  errno = 0;
  unsigned long b = strtoul(text, NULL, base);
  int error2 = errno;
  errno = 0;
  long long c = strtoll(text, &end, base);
  int error3 = errno;
  errno = 0;
  unsigned long long d = strtoull(text, &end, base);
  printf("%s/%d: %ld %d %d | %lu %d | %lld %d | %llu %d\n", text, base, a, used, error, b, error2, c,
         error3, d, errno);
}

int main(void) {
  const char *texts[] = {"0", "42", "-42", "  +17abc", "0x1F", "0x", "0xg", "077", "089", "", "  ", "-", "zz",
                         "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
                         "9223372036854775807", "9223372036854775808", "-9223372036854775808",
                         "-9223372036854775809", "18446744073709551615", "18446744073709551616",
                         "99999999999999999999999", "-1", "\t\n 12 34", "1010", "7fffffff", "--5"};
  int bases[] = {0, 10, 16, 2, 8, 36};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
    for (int j = 0; j < 6; j++)
      try(texts[i], bases[j]);
  printf("%d %d %ld %lld\n", atoi("  123xyz"), atoi("-0"), atol("-99999"), atoll("12345678901234"));
  div_t q = div(-17, 5);
  ldiv_t r = ldiv(100L, -7L);
  lldiv_t s = lldiv(-10000000019LL, 1000LL);
  printf("%d %d %ld %ld %lld %lld\n", q.quot, q.rem, r.quot, r.rem, s.quot, s.rem);
  printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7000000000LL));
  return 0;
}
