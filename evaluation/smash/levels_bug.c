/* expected: unsafe
 *
 * The same with a leaf that keeps its state on one input.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int state;
static void leaf(int a) {
  if (state != 0)
    reach_error();
  state = 1;
  if (a != 99173)
    state = 0;
}
static void one(void) { leaf(__VERIFIER_nondet_int()); leaf(0); }
static void two(void) { one(); if (__VERIFIER_nondet_int()) one(); }
static void three(void) { two(); if (__VERIFIER_nondet_int()) two(); }
static void four(void) { three(); if (__VERIFIER_nondet_int()) three(); }

int main(void) {
  while (__VERIFIER_nondet_int())
    four();
  return 0;
}
