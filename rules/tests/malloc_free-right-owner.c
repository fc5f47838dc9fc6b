/* expect: safe */

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

/* One pointer lives as long as the program, and others come and go. */
static struct { int users; char *kept; } device;

static char *may_fail(void) {
    return __VERIFIER_nondet_int() ? malloc(4) : 0;
}

static void close_device(void) {
    free(device.kept);
    device.kept = 0;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            char *own = may_fail();
            if (own)
                free(own);
        } else if (!device.kept) {
            device.kept = may_fail();
            device.users++;
        } else {
            close_device();
        }
    }
    close_device();
    return 0;
}
