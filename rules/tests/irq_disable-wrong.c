/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static int counter;

static int read_and_clear(void) {
    int value;
    local_irq_disable();
    value = counter;
    counter = 0;
    local_irq_enable();
    return value;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        local_irq_disable();
        counter++;
        if (counter == 3)
            read_and_clear();
        local_irq_enable();
    }
    return 0;
}
