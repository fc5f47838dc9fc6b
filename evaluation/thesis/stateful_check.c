/* expected: unsafe
 *
 * Stateful check: one order of inputs opens the door.
 */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

int main(void) {
  int state = 0, left = 6;
  while (left > 0) {
    int key = __VERIFIER_nondet_int();
    if (state == 0 && key == 1871)
      state = 1;
    else if (state == 1 && key == -45)
      state = 2;
    else if (state == 2 && key == 90210)
      state = 3;
    else if (state == 3)
      reach_error();
    else
      state = 0;
    left = left - 1;
  }
  return 0;
}
