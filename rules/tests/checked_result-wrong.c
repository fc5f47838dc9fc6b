/* expect: unsafe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static int probe(struct pci_dev *device) {
    int error = pci_enable_device(device);
    pci_set_master(device);
    return error;
}

int main(void) {
    struct pci_dev device = {0};
    return probe(&device);
}
