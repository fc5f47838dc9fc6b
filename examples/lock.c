/* expected: safe
 *
 * The example of the SYNERGY and DASH papers: a lock that is taken in every
 * round and given back in those that change `y`. Not a single loop has to be
 * unrolled for the proof, and `--trace-steps` shows how it comes about.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned x = (unsigned)__VERIFIER_nondet_int();
    unsigned y = (unsigned)__VERIFIER_nondet_int();
    int lock = 0;
    unsigned old;
    do {
        lock = 1;
        old = y;
        if (__VERIFIER_nondet_int()) {
            lock = 0;
            y++;
        }
    } while (x != y);
    if (old != y && lock == 1) {
        reach_error();
    }
    return 0;
}
