/* The part of the Linux driver interface that stubs/linux_driver.c models. */

#ifndef ATTEST_LINUX_DRIVER_H
#define ATTEST_LINUX_DRIVER_H

typedef unsigned long size_t;
typedef long ssize_t;
typedef long long loff_t;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned int gfp_t;

#define NULL ((void *)0)
#define GFP_KERNEL 0x400u
#define GFP_ATOMIC 0x20u
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define ENODEV 19
#define EINVAL 22
#define ENOSPC 28
#define ERESTARTSYS 512

/* Locks and interrupts. */
typedef struct { int taken; } spinlock_t;
struct mutex { int taken; };

void spin_lock_init(spinlock_t *lock);
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
unsigned long _raw_spin_lock_irqsave(spinlock_t *lock);
void _raw_spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags);
#define spin_lock_irqsave(lock, flags) ((flags) = _raw_spin_lock_irqsave(lock))
#define spin_unlock_irqrestore(lock, flags) _raw_spin_unlock_irqrestore(lock, flags)

void mutex_init(struct mutex *lock);
void mutex_lock(struct mutex *lock);
int mutex_lock_interruptible(struct mutex *lock);
int mutex_trylock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);

void local_irq_disable(void);
void local_irq_enable(void);
unsigned long _raw_local_irq_save(void);
void _raw_local_irq_restore(unsigned long flags);
#define local_irq_save(flags) ((flags) = _raw_local_irq_save())
#define local_irq_restore(flags) _raw_local_irq_restore(flags)

/* Completions and reference counters. */
struct completion { unsigned int done; };
void init_completion(struct completion *completion);
void complete(struct completion *completion);
void wait_for_completion(struct completion *completion);

struct kref { int count; };
void kref_init(struct kref *kref);
void kref_get(struct kref *kref);
int kref_put(struct kref *kref, void (*release)(struct kref *));

/* Memory. */
void *kmalloc(size_t size, gfp_t flags);
void *kzalloc(size_t size, gfp_t flags);
void kfree(const void *memory);
unsigned long copy_to_user(void *to, const void *from, unsigned long count);
unsigned long copy_from_user(void *to, const void *from, unsigned long count);

void msleep(unsigned int milliseconds);
int printk(const char *format, ...);

/* Lists. */
struct list_head { struct list_head *next, *prev; };
#define container_of(pointer, type, member) \
    ((type *)((char *)(pointer) - __builtin_offsetof(type, member)))
static inline void INIT_LIST_HEAD(struct list_head *list) {
    list->next = list;
    list->prev = list;
}
static inline void list_add(struct list_head *entry, struct list_head *head) {
    entry->next = head->next;
    entry->prev = head;
    head->next->prev = entry;
    head->next = entry;
}
static inline void list_del(struct list_head *entry) {
    entry->prev->next = entry->next;
    entry->next->prev = entry->prev;
}
static inline int list_empty(const struct list_head *head) {
    return head->next == head;
}

/* Devices. */
typedef int irqreturn_t;
#define IRQ_NONE 0
#define IRQ_HANDLED 1
typedef irqreturn_t (*irq_handler_t)(int irq, void *device);
int request_irq(unsigned int irq, irq_handler_t handler, unsigned long flags, const char *name,
                void *device);
void *free_irq(unsigned int irq, void *device);

struct pci_dev { unsigned int irq; void *driver_data; };
int pci_enable_device(struct pci_dev *device);
void pci_disable_device(struct pci_dev *device);
void pci_set_master(struct pci_dev *device);
int pci_request_regions(struct pci_dev *device, const char *name);
void pci_release_regions(struct pci_dev *device);

u32 ioread32(const void *address);
void iowrite32(u32 value, void *address);

struct inode { int minor; };
struct file { void *private_data; unsigned int f_flags; };
struct file_operations {
    int (*open)(struct inode *, struct file *);
    int (*release)(struct inode *, struct file *);
    ssize_t (*read)(struct file *, char *, size_t, loff_t *);
    ssize_t (*write)(struct file *, const char *, size_t, loff_t *);
    long (*unlocked_ioctl)(struct file *, unsigned int, unsigned long);
};
struct miscdevice { int minor; const char *name; const struct file_operations *fops; };
int misc_register(struct miscdevice *device);
void misc_deregister(struct miscdevice *device);

struct pci_driver {
    const char *name;
    int (*probe)(struct pci_dev *);
    void (*remove)(struct pci_dev *);
};
int pci_register_driver(struct pci_driver *driver);
void pci_unregister_driver(struct pci_driver *driver);

/* The harness calls these. */
#define module_init(function) int attest_module_init(void) { return function(); }
#define module_exit(function) void attest_module_exit(void) { function(); }
int attest_module_init(void);
void attest_module_exit(void);

/* What the driver registered, for the harness. */
extern struct miscdevice *attest_misc;
extern struct pci_driver *attest_pci;
extern irq_handler_t attest_handler;
extern void *attest_handler_device;
extern unsigned int attest_handler_irq;

#endif
