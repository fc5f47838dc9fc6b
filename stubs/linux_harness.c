/* Calls the entry points of a Linux driver in any legal order: the module is
   initialised; a device of the PCI bus comes and goes; a file of the misc
   device is opened, used and released; interrupts come between calls while a
   handler is registered; the module is removed. Check it together with the
   driver: attest check driver.c stubs/linux_harness.c --stubs
   stubs/linux_driver.c --spec rules/ -- -Istubs */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);

static struct inode inode;
static struct file file;
static loff_t position;
static char user_memory[16];
static struct pci_dev pci;

static void interrupt(void) {
    if (attest_handler && __VERIFIER_nondet_bool())
        attest_handler((int)attest_handler_irq, attest_handler_device);
}

static size_t some_size(void) {
    size_t size = __VERIFIER_nondet_ulong();
    return size > sizeof user_memory ? sizeof user_memory : size;
}

/* One call of an open file. */
static void use(const struct file_operations *operations) {
    switch (__VERIFIER_nondet_uint() % 3) {
    case 0:
        if (operations->read)
            operations->read(&file, user_memory, some_size(), &position);
        break;
    case 1:
        if (operations->write)
            operations->write(&file, user_memory, some_size(), &position);
        break;
    case 2:
        if (operations->unlocked_ioctl)
            operations->unlocked_ioctl(&file, __VERIFIER_nondet_uint(), __VERIFIER_nondet_ulong());
        break;
    }
}

/* A file is opened, used and released. */
static void session(const struct file_operations *operations) {
    inode.minor = __VERIFIER_nondet_int();
    file.private_data = NULL;
    file.f_flags = __VERIFIER_nondet_uint();
    if (operations->open && operations->open(&inode, &file) != 0)
        return;
    while (__VERIFIER_nondet_bool()) {
        use(operations);
        interrupt();
    }
    if (operations->release)
        operations->release(&inode, &file);
}

int main(void) {
    int present = 0;
    pci.irq = 5;
    if (attest_module_init() != 0)
        return 0;
    if (attest_pci && attest_pci->probe(&pci) == 0)
        present = 1;
    while (__VERIFIER_nondet_bool()) {
        if (attest_misc)
            session(attest_misc->fops);
        interrupt();
    }
    if (present && attest_pci)
        attest_pci->remove(&pci);
    attest_module_exit();
    return 0;
}
