/* expected: safe
 *
 * Mutex: taken and given back around each use.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int held;
static void take(void) { if (held) reach_error(); held = 1; }
static void give(void) { if (!held) reach_error(); held = 0; }

int main(void) {
  while (__VERIFIER_nondet_int()) {
    take();
    give();
  }
  return 0;
}
