/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static spinlock_t queue, log;
static int pending, lines;

static void note(void) {
    unsigned long flags;
    spin_lock_irqsave(&log, flags);
    if (lines > 3)
        return;
    lines++;
    spin_unlock_irqrestore(&log, flags);
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        spin_lock(&queue);
        pending++;
        spin_unlock(&queue);
        note();
    }
    return 0;
}
