/* expected: safe
 *
 * Six levels of procedures, each of which calls the next twice.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int state;
static void leaf(void) { if (state != 0) reach_error(); state = 1; state = 0; }
static void one(void) { leaf(); if (__VERIFIER_nondet_int()) leaf(); }
static void two(void) { one(); if (__VERIFIER_nondet_int()) one(); }
static void three(void) { two(); if (__VERIFIER_nondet_int()) two(); }
static void four(void) { three(); if (__VERIFIER_nondet_int()) three(); }
static void five(void) { four(); if (__VERIFIER_nondet_int()) four(); }

int main(void) {
  while (__VERIFIER_nondet_int())
    five();
  return 0;
}
