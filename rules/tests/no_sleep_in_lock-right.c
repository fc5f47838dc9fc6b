/* expect: safe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static spinlock_t lock;

int main(void) {
    unsigned long flags;
    char *early = kmalloc(4, GFP_KERNEL);
    char *late;
    spin_lock_irqsave(&lock, flags);
    late = kmalloc(4, GFP_ATOMIC);
    spin_unlock_irqrestore(&lock, flags);
    if (__VERIFIER_nondet_int())
        msleep(10);
    kfree(late);
    kfree(early);
    return 0;
}
