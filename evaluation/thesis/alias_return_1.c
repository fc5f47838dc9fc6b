/* expected: safe
 *
 * Alias of return: a pointer that a function hands back is the one it got.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int *same(int *p) { return p; }

int main(void) {
  int cell = 3;
  int *p = same(&cell);
  *p = 8;
  if (cell != 8)
    reach_error();
  return 0;
}
