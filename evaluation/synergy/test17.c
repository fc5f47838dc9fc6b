/* expected: safe
 *
 * Figure 9: two numbers that both stay where they are, if one knows of both.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int x = 0, y = 0;
  while (y >= 0)
    y = y + x;
  reach_error();
  return 0;
}
