/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

struct object {
    struct kref kref;
};

static int released;

static void release(struct kref *kref) {
    released = 1;
}

int main(void) {
    static struct object object;
    kref_init(&object.kref);
    if (__VERIFIER_nondet_int())
        kref_put(&object.kref, release);
    kref_put(&object.kref, release);
    return 0;
}
