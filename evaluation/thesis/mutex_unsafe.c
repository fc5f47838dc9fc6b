/* expected: unsafe
 *
 * Mutex: given back twice, whatever the inputs.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static int held;
static void take(void) { if (held) reach_error(); held = 1; }
static void give(void) { if (!held) reach_error(); held = 0; }

int main(void) {
  take();
  give();
  give();
  return 0;
}
