/* expect: safe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static spinlock_t queue, log;
static int pending, lines;

static void note(void) {
    unsigned long flags;
    spin_lock_irqsave(&log, flags);
    lines++;
    spin_unlock_irqrestore(&log, flags);
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        spin_lock(&queue);
        if (pending > 0) {
            pending--;
            spin_unlock(&queue);
            note();
        } else {
            pending++;
            spin_unlock(&queue);
        }
    }
    return 0;
}
