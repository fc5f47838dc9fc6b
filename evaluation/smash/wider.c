/* expected: safe
 *
 * Regions after a call say much that the call is not about. What the paths of tests miss is
 * all that a not-may summary need be about, and then it serves other regions as well.
 */
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int mode, gate, fuse, heat;

static void set(int n) {
  heat = n & 3;
  if (n == 7001)
    gate = 1;
  if (n == 9002)
    fuse = 1;
  if (n == 12345)
    mode = n;
}

static void work(int n) {
  if (gate) {
    fuse = 0;
    heat = n & 7;
  }
  if (n == 3003 && fuse)
    mode = 2;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    set(__VERIFIER_nondet_int());
    if (gate && fuse && mode == 5)
      reach_error();
    work(__VERIFIER_nondet_int());
    if (gate && fuse && heat == 1)
      reach_error();
    if (gate && fuse)
      reach_error();
    if (mode == 2 && heat > 8)
      reach_error();
    set(__VERIFIER_nondet_int());
    work(__VERIFIER_nondet_int());
    if (gate && fuse)
      reach_error();
  }
  return 0;
}
