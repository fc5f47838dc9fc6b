/* expect: safe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static int counter;

static int read_and_clear(void) {
    unsigned long flags;
    int value;
    local_irq_save(flags);
    value = counter;
    counter = 0;
    local_irq_restore(flags);
    return value;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        local_irq_disable();
        counter++;
        local_irq_enable();
        read_and_clear();
    }
    return 0;
}
