/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static irqreturn_t handle(int irq, void *device) {
    return IRQ_HANDLED;
}

int main(void) {
    int device;
    if (request_irq(5, handle, 0, "first", &device))
        return 0;
    if (request_irq(6, handle, 0, "second", &device))
        return -EBUSY;
    free_irq(6, &device);
    free_irq(5, &device);
    return 0;
}
