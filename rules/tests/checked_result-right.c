/* expect: safe; stubs: linux_driver.c */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);

static int probe(struct pci_dev *device) {
    int error = pci_enable_device(device);
    if (error)
        return error;
    error = pci_request_regions(device, "example");
    if (error) {
        pci_disable_device(device);
        return error;
    }
    pci_set_master(device);
    return 0;
}

int main(void) {
    struct pci_dev device = {0};
    if (probe(&device) == 0)
        pci_disable_device(&device);
    return 0;
}
