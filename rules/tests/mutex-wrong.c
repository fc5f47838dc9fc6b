/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static struct mutex lock;
static int users;

static void enter(void) {
    int interrupted = mutex_lock_interruptible(&lock);
    users++;
    mutex_unlock(&lock);
    if (interrupted)
        users--;
}

int main(void) {
    while (__VERIFIER_nondet_int())
        enter();
    return 0;
}
