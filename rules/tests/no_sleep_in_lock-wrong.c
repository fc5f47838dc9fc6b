/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static spinlock_t lock;

static char *grow(void) {
    return kmalloc(4, GFP_KERNEL);
}

int main(void) {
    char *memory = NULL;
    spin_lock(&lock);
    if (__VERIFIER_nondet_int() == 3)
        memory = grow();
    spin_unlock(&lock);
    kfree(memory);
    return 0;
}
