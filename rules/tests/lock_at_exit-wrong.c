/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static struct mutex config;
static int value;

static int set(int to) {
    mutex_lock(&config);
    if (to < 0)
        return -EINVAL;
    value = to;
    mutex_unlock(&config);
    return 0;
}

int main(void) {
    return set(__VERIFIER_nondet_int());
}
