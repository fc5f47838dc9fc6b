// expect: unsafe
// options: -- -DCASE=1
// expect: unknown(zeros of different signs)
// options: -- -DCASE=2
// expect: unknown(too large for an integer)
// options: -- -DCASE=3
// expect: safe
// options: -- -DCASE=4
// expect: unsafe
// options: -- -DCASE=5
// expect: unsafe
// options: -- -DCASE=6
// expect: unsafe
// options: -- -DCASE=7
//
// What glibc does at the edges.
#include "../attest.h"

double sqrt(double);
double fmin(double, double);
long lround(double);
int __signbit(double);
int toupper(int);
int *__errno_location(void);
char *strtok(char *, const char *);

int main(void) {
#if CASE == 1
  double x = __VERIFIER_nondet_double();
  if (x > -1 || x < -9) return 0;
  sqrt(x);
  if (*__errno_location()) reach_error();
#elif CASE == 2
  double x = __VERIFIER_nondet_int() ? 0.0 : -0.0;
  if (__signbit(fmin(0.0, x)) > 128) reach_error();
#elif CASE == 3
  if (lround(1e40) < 0) reach_error();
#elif CASE == 4
  if (lround(2.5) != 3) reach_error();
#elif CASE == 5
  if (__signbit(-1.0) == 128) reach_error();
#elif CASE == 6
  if (toupper(-100) == 156) reach_error();
#elif CASE == 7
  if (strtok("a", ",")) reach_error();
#endif
  return 0;
}
