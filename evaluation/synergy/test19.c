/* expected: safe
 *
 * A sum that stays even.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  unsigned sum = 4;
  while (__VERIFIER_nondet_int())
    sum = sum + 6;
  if (sum % 2 != 0)
    reach_error();
  return 0;
}
