/* expect: safe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static struct mutex config;
static spinlock_t lock;
static int value;

static int set(int to) {
    int error = 0;
    mutex_lock(&config);
    if (to < 0) {
        error = -EINVAL;
        goto out;
    }
    spin_lock(&lock);
    value = to;
    spin_unlock(&lock);
out:
    mutex_unlock(&config);
    return error;
}

int main(void) {
    return set(__VERIFIER_nondet_int());
}
