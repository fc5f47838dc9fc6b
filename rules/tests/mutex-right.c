/* expect: safe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static struct mutex lock;
static int users;

static int enter(void) {
    if (mutex_lock_interruptible(&lock))
        return -ERESTARTSYS;
    users++;
    mutex_unlock(&lock);
    return 0;
}

static void leave(void) {
    if (mutex_trylock(&lock)) {
        users--;
        mutex_unlock(&lock);
    }
}

int main(void) {
    while (__VERIFIER_nondet_int())
        if (enter() == 0)
            leave();
    return 0;
}
