/* expected: unsafe
 *
 * The middle of two numbers between 0 and the largest int. The sum in the
 * middle may be too large for an int.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#include <assert.h>

static int middle(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= low && low <= high);
  int m = middle(low, high);
  assert(low <= m && m <= high);
  return 0;
}
