/* dots: unknown variable arguments
   list: unknown va_list
   quad: unknown long double
   unchecked: unsafe */
#include <stdarg.h>
extern void reach_error(void);

void dots(int n, ...) {
  if (n == 1) reach_error();
}

int list(va_list v) { return va_arg(v, int); }

void quad(long double x) {
  if (x > 1) reach_error();
}

/* Nobody says how long the array is. */
void unchecked(int *p) { if (p) p[4] = 1; }
