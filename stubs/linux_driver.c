/* A model of the kernel around a Linux driver. Locks do nothing, since rules
   keep the books; what can fail may fail; memory and devices hold anything. */

#include "linux_driver.h"

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void free(void *);

struct miscdevice *attest_misc;
struct pci_driver *attest_pci;
extern void __attest_assuming_interrupts_come_between_calls_and_while_the_driver_waits(void);

irq_handler_t attest_handler;
void *attest_handler_device;
unsigned int attest_handler_irq;

/* An error number, negative. */
static int failure(void) {
    return -1 - (__VERIFIER_nondet_int() & 0xfff);
}

static int may_fail(void) {
    return __VERIFIER_nondet_bool() ? 0 : failure();
}

void spin_lock_init(spinlock_t *lock) {
    lock->taken = 0;
}

void spin_lock(spinlock_t *lock) {}

void spin_unlock(spinlock_t *lock) {}

unsigned long _raw_spin_lock_irqsave(spinlock_t *lock) {
    return 0;
}

void _raw_spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags) {}

void mutex_init(struct mutex *lock) {
    lock->taken = 0;
}

void mutex_lock(struct mutex *lock) {}

int mutex_lock_interruptible(struct mutex *lock) {
    return __VERIFIER_nondet_bool() ? 0 : -EINTR;
}

int mutex_trylock(struct mutex *lock) {
    return __VERIFIER_nondet_bool();
}

void mutex_unlock(struct mutex *lock) {}

void local_irq_disable(void) {}

void local_irq_enable(void) {}

unsigned long _raw_local_irq_save(void) {
    return 0;
}

void _raw_local_irq_restore(unsigned long flags) {}

void init_completion(struct completion *completion) {
    completion->done = 0;
}

void complete(struct completion *completion) {
    completion->done = 1;
}

/* Interrupts come while a driver waits. */
void wait_for_completion(struct completion *completion) {
    if (attest_handler && __VERIFIER_nondet_bool())
        attest_handler((int)attest_handler_irq, attest_handler_device);
}

void kref_init(struct kref *kref) {
    kref->count = 1;
}

void kref_get(struct kref *kref) {
    kref->count = kref->count + 1;
}

int kref_put(struct kref *kref, void (*release)(struct kref *)) {
    kref->count = kref->count - 1;
    if (kref->count)
        return 0;
    release(kref);
    return 1;
}

void *kmalloc(size_t size, gfp_t flags) {
    return __VERIFIER_nondet_bool() ? malloc(size) : NULL;
}

void *kzalloc(size_t size, gfp_t flags) {
    return __VERIFIER_nondet_bool() ? calloc(1, size) : NULL;
}

void kfree(const void *memory) {
    free((void *)memory);
}

/* How many bytes of so many are not copied. */
static unsigned long uncopied(unsigned long count) {
    unsigned long left = __VERIFIER_nondet_ulong();
    return left > count ? count : left;
}

/* The user's memory is not that of the kernel: nothing of the kernel is read or written
   but the first byte that comes from the user. */
unsigned long copy_to_user(void *to, const void *from, unsigned long count) {
    return uncopied(count);
}

unsigned long copy_from_user(void *to, const void *from, unsigned long count) {
    unsigned long left = uncopied(count);
    if (left < count)
        *(unsigned char *)to = (unsigned char)__VERIFIER_nondet_uint();
    return left;
}

void msleep(unsigned int milliseconds) {}

int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name,
                void *device) {
    __attest_assuming_interrupts_come_between_calls_and_while_the_driver_waits();
    if (__VERIFIER_nondet_bool())
        return failure();
    attest_handler = handler;
    attest_handler_device = device;
    attest_handler_irq = irq;
    return 0;
}

void *free_irq(unsigned int irq, void *device) {
    attest_handler = NULL;
    return NULL;
}

int pci_enable_device(struct pci_dev *device) {
    return may_fail();
}

void pci_disable_device(struct pci_dev *device) {}

void pci_set_master(struct pci_dev *device) {}

int pci_request_regions(struct pci_dev *device, const char *name) {
    return may_fail();
}

void pci_release_regions(struct pci_dev *device) {}

u32 ioread32(const void *address) {
    return __VERIFIER_nondet_uint();
}

void iowrite32(u32 value, void *address) {}

int misc_register(struct miscdevice *device) {
    if (__VERIFIER_nondet_bool())
        return failure();
    attest_misc = device;
    return 0;
}

void misc_deregister(struct miscdevice *device) {
    attest_misc = NULL;
}

int pci_register_driver(struct pci_driver *driver) {
    if (__VERIFIER_nondet_bool())
        return failure();
    attest_pci = driver;
    return 0;
}

void pci_unregister_driver(struct pci_driver *driver) {
    attest_pci = NULL;
}
