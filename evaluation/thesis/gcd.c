/* expected: safe
 *
 * GCD by subtraction of two small numbers is at most the smaller one.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int a = __VERIFIER_nondet_uchar() & 7, b = __VERIFIER_nondet_uchar() & 7, least;
  __VERIFIER_assume(a > 0 && b > 0);
  least = a < b ? a : b;
  while (a != b) {
    if (a > b)
      a = a - b;
    else
      b = b - a;
  }
  if (a > least)
    reach_error();
  return 0;
}
