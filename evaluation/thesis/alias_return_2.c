/* expected: safe
 *
 * Alias of return: one of two pointers comes back, and an input says which.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int *pick(int *p, int *q, int which) { return which ? p : q; }

int main(void) {
  int a = 1, b = 1, which = __VERIFIER_nondet_int();
  *pick(&a, &b, which) = 2;
  if (which && a != 2)
    reach_error();
  if (!which && b != 2)
    reach_error();
  return 0;
}
