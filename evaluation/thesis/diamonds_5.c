/* expected: safe
 *
 * The shape of figure 5.2: five choices, one of them through a pointer, none of which matters.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int lock = 1, x = 0, y = 0;
  int *p = &y;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (lock != 1)
    reach_error();
  return x + y;
}
